import type { ApiKey, ChangedKey } from "@atelier/schemas";
import type { ApiMember } from "@atelier/schemas/endpoints";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api.ts";
import { keysQuery, membersQuery } from "../../data/account-queries.ts";
import { checkChange } from "../../data/check-change.ts";
import { texts } from "../../texts/members.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { SecretDialog } from "../../ui/dialogs/secret-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { stateOf } from "../keys/key-limit.ts";
import { isLimited, limitsOfMember, planChanges } from "./member-changes.ts";
import { MemberForm } from "./member-form.tsx";
import type { MemberAction } from "./member-item.tsx";
import { rolesToGive, type Self } from "./standing.ts";

/** The open dialog and its member. */
export type MemberStep =
  | { readonly kind: "invite" }
  | { readonly kind: MemberAction; readonly member: ApiMember }
  | { readonly kind: "linked"; readonly name: string; readonly link: string };

/** The dialog of a step. */
export function MemberSteps(props: {
  readonly step: MemberStep;
  readonly members: readonly ApiMember[];
  /** All keys of the account, including those through which members act. */
  readonly keys: readonly ApiKey[];
  readonly self: Self | null;
  readonly onStep: (change: (now: MemberStep | null) => MemberStep | null) => void;
}) {
  const { step, members, keys, self, onStep } = props;
  const queryClient = useQueryClient();
  const [openedAt] = useState(Date.now);
  // A step that is over by then does not close the next one.
  const close = () => onStep((now) => (now === step ? null : now));
  /** Waits for the members only: a dialog that stays open longer would cover the new list. */
  function refresh(): Promise<void> {
    void queryClient.invalidateQueries(keysQuery);
    return queryClient.invalidateQueries(membersQuery);
  }

  const check = <Result,>(change: Promise<Result>) =>
    checkChange(change, { gone: texts.members.gone, refresh });

  /** Shows the link before anything else is requested, which may fail. */
  function show({ name, link }: { readonly name: string; readonly link: string }): void {
    onStep(() => ({ kind: "linked", name, link }));
    void refresh();
    // Browsers may refuse to copy that late after the click, and over HTTP: the dialog has a button for it.
    if (!isSecureContext) return;
    navigator.clipboard.writeText(link).then(
      () => showToast(texts.members.linkCopied),
      () => undefined,
    );
  }

  async function end({ ended }: Pick<ChangedKey, "ended">): Promise<void> {
    if (ended.keys + ended.webhooks + ended.sessions > 0) showToast(texts.members.ended(ended));
    await refresh();
  }

  switch (step.kind) {
    case "invite":
      return (
        <MemberForm
          title={texts.members.invite}
          action={texts.members.invite}
          initial={{ name: "", email: "", role: "maker", limits: null }}
          roles={rolesToGive(self, null)}
          onClose={close}
          onSave={async ({ name, email, role }) => {
            const body = { name, role, ...(email.trim() !== "" && { email: email.trim() }) };
            show(await check(call("POST /v1/members", { body })));
          }}
        />
      );
    case "edit": {
      const key = keyOf(step.member, keys);
      const isMaker = step.member.role === "maker";
      const created = namesOfKeys(step.member, keys, openedAt);
      return (
        <MemberForm
          title={texts.members.editName(step.member.name)}
          action={texts.common.save}
          initial={{
            ...step.member,
            email: step.member.email ?? "",
            // Who becomes a maker may not change keys any more.
            limits: step.member.id === self?.id ? null : limitsOfMember(key),
          }}
          roles={rolesToGive(self, step.member)}
          spentEur={key?.spent_eur}
          noteForMaker={
            isMaker || created.length === 0
              ? undefined
              : texts.members.keysStay(step.member.name, created.join(", "))
          }
          noteForOthers={isLimited(key) ? texts.members.limitsEnd(step.member.name) : undefined}
          onClose={close}
          onSave={async (draft) => {
            const { id } = step.member;
            const { limits, member: body, limitsFirst } = planChanges(draft, step.member, key);
            async function saveLimits(): Promise<void> {
              if (limits === null || key === undefined) return;
              await check(call("PATCH /v1/keys/{id}", { id: key.id, body: limits }));
            }
            if (limitsFirst) await saveLimits();
            const { ended } = await check(call("PATCH /v1/members/{id}", { id, body }));
            if (!limitsFirst) await saveLimits();
            await end({ ended });
            close();
          }}
        />
      );
    }
    case "link":
    case "enable": {
      const { id, name } = step.member;
      const isLink = step.kind === "link";
      return (
        <FormDialog
          title={isLink ? texts.members.linkName(name) : texts.members.enableName(name)}
          action={isLink ? texts.members.link : texts.members.enable}
          onClose={close}
          onSave={async () =>
            show(
              await check(
                isLink
                  ? call("POST /v1/members/{id}/link", { id })
                  : call("POST /v1/members/{id}/enable", { id }),
              ),
            )
          }
        >
          {() => <p>{isLink ? texts.members.linkText : texts.members.enableText(name)}</p>}
        </FormDialog>
      );
    }
    case "handOver":
      return (
        <HandOver
          member={step.member}
          keys={namesOfKeys(step.member, keys, openedAt)}
          receivers={members.filter(
            ({ id, role, disabled_at }) =>
              id !== step.member.id && role !== "maker" && disabled_at === null,
          )}
          onClose={close}
          onSave={async (to) => {
            const { id } = step.member;
            const request = call("POST /v1/members/{id}/hand-over", { id, body: { to } });
            const name = members.find(({ id: other }) => other === to)?.name ?? "";
            showToast(texts.members.handed({ ...(await check(request)), name }));
            void refresh();
            close();
          }}
        />
      );
    case "disable":
    case "remove": {
      const { id, name } = step.member;
      const isRemoval = step.kind === "remove";
      const title = isRemoval ? texts.members.removeName(name) : texts.members.disableName(name);
      const created = namesOfKeys(step.member, keys, openedAt);
      const disableText =
        step.member.role === "maker" && created.length === 0
          ? texts.members.disableTextWithoutKeys
          : texts.members.disableText;
      return (
        <ConfirmDialog
          title={title}
          action={title}
          onConfirm={async () =>
            end(
              await check(
                isRemoval
                  ? call("DELETE /v1/members/{id}", { id })
                  : call("POST /v1/members/{id}/disable", { id }),
              ),
            )
          }
          onClose={close}
        >
          {id === self?.id && (
            <p>
              <strong>{texts.members.disableSelf}</strong>
            </p>
          )}
          <p>{isRemoval ? texts.members.removeText : disableText}</p>
        </ConfirmDialog>
      );
    }
    case "linked":
      return (
        <SecretDialog
          title={texts.members.linkTitle(step.name)}
          secret={step.link}
          copyName={texts.members.copy}
          advice={texts.members.linkOnce(step.name)}
          done={texts.common.close}
          onClose={close}
        />
      );
  }
}

/** The key that a member acts through; undefined until keys are known. */
export function keyOf(member: ApiMember, keys: readonly ApiKey[]): ApiKey | undefined {
  return keys.find(({ member_id }) => member_id === member.id);
}

/** The names of the keys that a member created and that work. */
export function namesOfKeys(
  member: ApiMember,
  keys: readonly ApiKey[],
  now: number,
): readonly string[] {
  const id = keyOf(member, keys)?.id;
  return keys
    .filter((key) => id !== undefined && key.created_by === id && stateOf(key, now) === "live")
    .map(({ name }) => name);
}

function HandOver(props: {
  readonly member: ApiMember;
  /** The names of the keys that it created. */
  readonly keys: readonly string[];
  readonly receivers: readonly ApiMember[];
  readonly onSave: (to: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { member, keys, receivers, onSave, onClose } = props;
  const [to, setTo] = useState(receivers[0]?.id ?? "");
  return (
    <FormDialog
      title={texts.members.handOverName(member.name)}
      action={texts.members.handOver}
      onClose={onClose}
      onSave={() => onSave(to)}
    >
      {() => (
        <>
          <p>{texts.members.handOverText}</p>
          <p>
            {keys.length === 0
              ? texts.members.handOverNoKeys
              : texts.members.handOverKeys(keys.join(", "))}
          </p>
          <Field label={texts.members.handOverTo}>
            {(control) => (
              <select {...control} value={to} onChange={({ target }) => setTo(target.value)}>
                {receivers.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
