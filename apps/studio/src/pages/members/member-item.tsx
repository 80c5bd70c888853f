import type { ApiMember } from "@atelier/schemas/endpoints";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts/members.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "../keys/keys.module.css";
import { isAbove, type Self } from "./standing.ts";

/** An action on a member. */
export type MemberAction = "edit" | "link" | "enable" | "handOver" | "disable" | "remove";

/** A member in the list, with what the session may do about it. */
export function MemberItem(props: {
  readonly value: ApiMember;
  /** Its limits, by name; those that it does not have are not shown. */
  readonly limits: readonly (readonly [name: string, value: string | null | undefined])[];
  /** Whether it created keys that work. */
  readonly hasKeys: boolean;
  readonly self: Self | null;
  readonly onAction: (action: MemberAction) => void;
}) {
  const { value: member, limits, hasKeys, self, onAction } = props;
  const isSelf = member.id === self?.id;
  const actions = actionsOn(member, self, hasKeys);
  const names = {
    edit: [texts.members.edit, texts.members.editName],
    link: [texts.members.link, texts.members.linkName],
    enable: [texts.members.enable, texts.members.enableName],
    handOver: [texts.members.handOver, texts.members.handOverName],
    disable: [texts.members.disable, texts.members.disableName],
    remove: [texts.members.remove, texts.members.removeName],
  } as const;
  return (
    <li className={styles.item}>
      <div className={styles.what}>
        <h2 dir="auto">
          {member.name} <Badge kind="neutral">{texts.members.roles[member.role].name}</Badge>{" "}
          {isSelf && <Badge kind="accent">{texts.members.self}</Badge>}{" "}
          {member.disabled_at !== null && <Badge kind="bad">{texts.members.disabled}</Badge>}
          {member.disabled_at === null && member.last_seen_at === null && (
            <Badge kind="neutral">{texts.members.invited}</Badge>
          )}
        </h2>
        {member.email !== null && <p>{member.email}</p>}
        <dl>
          <div>
            <dt>{texts.members.lastSeen}</dt>
            <dd className="num">
              {member.last_seen_at === null ? texts.members.never : formatTime(member.last_seen_at)}
            </dd>
          </div>
          <div>
            <dt>{texts.members.invitedAt}</dt>
            <dd className="num">{formatTime(member.invited_at)}</dd>
          </div>
          {limits
            .filter(([, value]) => value != null)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
        </dl>
      </div>
      {actions.length === 0 ? (
        <p className={styles.fixed}>{texts.members.onlyHigher}</p>
      ) : (
        <div className={styles.actions}>
          {actions.map((action) => {
            const [short, full] = names[action];
            return (
              <Button
                key={action}
                look={action === "disable" || action === "remove" ? "danger" : "plain"}
                aria-label={full(member.name)}
                onClick={() => onAction(action)}
              >
                {short}
              </Button>
            );
          })}
        </div>
      )}
    </li>
  );
}

function actionsOn(
  member: ApiMember,
  self: Self | null,
  hasKeys: boolean,
): readonly MemberAction[] {
  if (member.id === self?.id) {
    return member.role === "owner" ? ["edit", "handOver", "disable"] : ["edit", "disable"];
  }
  if (!isAbove(self, member)) return [];
  if (member.disabled_at !== null) return ["enable", "remove"];
  return member.role === "maker" && !hasKeys
    ? ["edit", "link", "disable", "remove"]
    : ["edit", "link", "handOver", "disable", "remove"];
}
