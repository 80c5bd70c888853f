import type { ApiKey, Budget } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { budgetsQuery, keysQuery } from "../../data/account-queries.ts";
import { formatEur, formatTime } from "../../format.ts";
import { texts } from "../../texts/budgets.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { BudgetMeter } from "../keys/budget-meter.tsx";
import { stateOf } from "../keys/key-limit.ts";
import styles from "../keys/keys.module.css";
import { BudgetSteps, type BudgetStep } from "./budget-steps.tsx";

/** The page with the budgets that keys of the account share. */
export default function Budgets() {
  const { data: budgets, error, refetch } = useQuery(budgetsQuery);
  const { data: keys = [] } = useQuery(keysQuery);
  const [step, setStep] = useState<BudgetStep | null>(null);
  const [openedAt] = useState(Date.now);
  const counted = keys.filter((key) => key.member_id !== null || key.revoked_at === null);
  const create = (
    <Button look="primary" onClick={() => setStep({ kind: "create" })}>
      <Icon name="plus" size={16} /> {texts.budgets.create}
    </Button>
  );
  return (
    <Page
      title={texts.pages.budgets}
      lead={texts.budgets.lead}
      actions={budgets !== undefined && budgets.length > 0 && create}
    >
      <Problem error={error} onRetry={() => void refetch()} />
      {budgets === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {budgets?.length === 0 && (
        <EmptyState icon="people" title={texts.budgets.empty} hint={texts.budgets.emptyHint}>
          {create}
        </EmptyState>
      )}
      {budgets !== undefined && budgets.length > 0 && (
        <ul className={styles.list}>
          {budgets.map((budget) => (
            <BudgetItem
              key={budget.id}
              value={budget}
              keys={counted.filter(({ budget_id }) => budget_id === budget.id)}
              now={openedAt}
              onAction={(kind) => setStep({ kind, budget })}
            />
          ))}
        </ul>
      )}
      {step !== null && <BudgetSteps step={step} onClose={() => setStep(null)} />}
    </Page>
  );
}

/** A budget in the list. */
function BudgetItem(props: {
  readonly value: Budget;
  /** Its keys and people, also those that are expired or disabled: the budget cannot be deleted with them. */
  readonly keys: readonly ApiKey[];
  readonly now: number;
  readonly onAction: (action: "edit" | "delete") => void;
}) {
  const { value: budget, keys, now, onAction } = props;
  const { name, eur, period, spent_eur, held_eur, resets_at } = budget;
  return (
    <li className={styles.item}>
      <div className={styles.what}>
        <h2>{name}</h2>
        <dl>
          <div>
            <dt>{texts.budgets.keys}</dt>
            <dd>{keys.map((key) => nameOf(key, now)).join(", ") || texts.budgets.noKeys}</dd>
          </div>
        </dl>
      </div>
      <div className={styles.spending}>
        <BudgetMeter
          name={texts.budgets.used(name)}
          spentEur={spent_eur}
          eur={eur}
          limit={texts.budgets.of(formatEur(eur), texts.budgets.periods[period])}
        />
        {Number(held_eur) > 0 && <p>{texts.budgets.held(formatEur(held_eur))}</p>}
        {resets_at !== null && <p>{texts.budgets.startsAgain(formatTime(resets_at))}</p>}
      </div>
      <div className={styles.actions}>
        <Button aria-label={texts.budgets.editName(name)} onClick={() => onAction("edit")}>
          {texts.budgets.edit}
        </Button>
        <Button
          look="danger"
          aria-label={texts.budgets.deleteName(name)}
          onClick={() => onAction("delete")}
        >
          {texts.budgets.delete}
        </Button>
      </div>
    </li>
  );
}

/** The name of a key or a person, with the state of one that does not work. */
function nameOf(key: ApiKey, now: number): string {
  const state = stateOf(key, now);
  if (state === "live") return key.name;
  return state === "expired" ? texts.budgets.expired(key.name) : texts.budgets.disabled(key.name);
}
