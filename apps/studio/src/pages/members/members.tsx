import type { ApiKey } from "@atelier/schemas";
import type { ApiMember } from "@atelier/schemas/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { budgetsQuery, keysQuery, membersQuery } from "../../data/account-queries.ts";
import { modelsQuery } from "../../data/queries.ts";
import { formatEur } from "../../format.ts";
import { useSession } from "../../session.ts";
import { texts as keyTexts } from "../../texts/keys.ts";
import { texts } from "../../texts/members.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import styles from "../keys/keys.module.css";
import { MemberItem } from "./member-item.tsx";
import { keyOf, MemberSteps, namesOfKeys, type MemberStep } from "./member-steps.tsx";

/** The page with the people of the account. */
export default function Members() {
  const { data: members, error, refetch } = useQuery(membersQuery);
  const { data: keys = [] } = useQuery(keysQuery);
  const { data: budgets = [] } = useQuery(budgetsQuery);
  const { data: models = [] } = useQuery(modelsQuery);
  const { member: self } = useSession();
  const [step, setStep] = useState<MemberStep | null>(null);
  const [openedAt] = useState(Date.now);
  const [showsAll, setShowsAll] = useState(false);
  const active = members?.filter(({ disabled_at }) => disabled_at === null) ?? [];
  const disabled = (members?.length ?? 0) - active.length;
  const shown = showsAll ? (members ?? []) : active;
  function limitsOf(member: ApiMember) {
    const { budget = null, spent_eur, budget_id, models: ids = null } = keyOf(member, keys) ?? {};
    const shared = budgets.find(({ id }) => id === budget_id);
    const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
    return [
      [texts.members.ownBudget, budget && describeBudget(budget, spent_eur ?? "0")],
      [texts.members.sharedBudget, shared?.name],
      [keyTexts.keys.models, ids?.map(nameOf).join(", ")],
    ] as const;
  }
  const invite = () => setStep({ kind: "invite" });

  return (
    <Page
      title={texts.pages.members}
      lead={texts.members.lead}
      actions={
        members !== undefined && (
          <Button look="primary" onClick={invite}>
            <Icon name="plus" size={16} /> {texts.members.invite}
          </Button>
        )
      }
    >
      <Problem error={error} onRetry={() => void refetch()} />
      {members === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {members !== undefined && active.length === 0 && (
        <EmptyState icon="people" title={texts.members.empty} hint={texts.members.emptyHint} />
      )}
      {shown.length > 0 && (
        <ul className={`${styles.list} ${styles.people}`}>
          {shown.map((member) => (
            <MemberItem
              key={member.id}
              value={member}
              limits={limitsOf(member)}
              hasKeys={namesOfKeys(member, keys, openedAt).length > 0}
              self={self}
              onAction={(kind) => setStep({ kind, member })}
            />
          ))}
        </ul>
      )}
      {disabled > 0 && (
        <div>
          <Button look="ghost" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? texts.members.hideDisabled : texts.members.showDisabled(disabled)}
          </Button>
        </div>
      )}
      {step !== null && (
        <MemberSteps step={step} members={members ?? []} keys={keys} self={self} onStep={setStep} />
      )}
    </Page>
  );
}

function describeBudget({ eur, period }: NonNullable<ApiKey["budget"]>, spentEur: string): string {
  const limit = keyTexts.keys.ofBudget(formatEur(eur), keyTexts.keys.periods[period]);
  return `${formatEur(spentEur)} ${limit}`;
}
