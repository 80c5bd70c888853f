import type { BudgetPeriod } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { readAmount } from "../../data/amounts.ts";
import type { Problems } from "../../data/field-problems.ts";
import { modelsQuery } from "../../data/queries.ts";
import { AmountField } from "../../form/amount-field.tsx";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/keys.ts";
import { Checks } from "../../ui/checks.tsx";
import { Field } from "../../ui/field.tsx";
import form from "../../ui/form.module.css";
import type { LimitDraft } from "./key-draft.ts";
import { SharedBudgetField } from "./shared-budget-field.tsx";

const periods = ["total", "day", "month"] as const;

/** The fields with the budgets and the models of a key, or of a person who acts through it. */
export function LimitFields(props: {
  readonly initial: LimitDraft;
  readonly draft: LimitDraft;
  /** Amount that an existing key has spent in the period of its budget. */
  readonly spentEur: string | undefined;
  readonly problems: Problems;
  readonly onChange: (part: Partial<LimitDraft>) => void;
}) {
  const { initial, draft, spentEur, problems, onChange } = props;
  const { data: models = [] } = useQuery(modelsQuery);
  // A key may name models that are retired by now.
  const retired = initial.models.filter((id) => !models.some((model) => model.id === id));
  return (
    <>
      <Checks
        label={texts.keys.budget}
        options={[{ value: "on", name: texts.keys.hasBudget, hint: texts.keys.hasBudgetHint }]}
        values={draft.hasBudget ? ["on"] : []}
        onChange={(values) => onChange({ hasBudget: values.length > 0 })}
      />
      {draft.hasBudget && (
        <div className={form.row}>
          <AmountField
            label={texts.keys.budgetEur}
            hint={spentHint(draft, initial, spentEur)}
            problem={problems.at("budget")}
            value={draft.budgetEur}
            onChange={(budgetEur) => onChange({ budgetEur })}
          />
          <Field label={texts.keys.budgetPeriod}>
            {(control) => (
              <select
                {...control}
                value={draft.budgetPeriod}
                onChange={({ target }) => onChange({ budgetPeriod: target.value as BudgetPeriod })}
              >
                {periods.map((period) => (
                  <option key={period} value={period}>
                    {texts.keys.periods[period]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      )}
      <SharedBudgetField
        value={draft.sharedBudget}
        problem={problems.at("budget_id")}
        onChange={(sharedBudget) => onChange({ sharedBudget })}
      />
      <Checks
        label={texts.keys.models}
        options={[{ value: "all", name: texts.keys.allModels }]}
        values={draft.hasAllModels ? ["all"] : []}
        onChange={(values) => onChange({ hasAllModels: values.length > 0 })}
        problem={draft.hasAllModels ? problems.at("models") : undefined}
      />
      {!draft.hasAllModels && (
        <Checks
          label={texts.keys.onlyModels}
          options={[
            ...models.map(({ id, name }) => ({ value: id, name, hint: id })),
            ...retired.map((id) => ({ value: id, name: id })),
          ]}
          values={draft.models}
          onChange={(next) => onChange({ models: next })}
          problem={problems.at("models")}
        />
      )}
    </>
  );
}

/** Says how much of its budget an existing key has spent, and what follows from a smaller one. */
function spentHint(
  { budgetEur, budgetPeriod }: LimitDraft,
  initial: LimitDraft,
  spentEur: string | undefined,
): string | undefined {
  // The sum of another period is known only after the change.
  if (spentEur === undefined || !initial.hasBudget || budgetPeriod !== initial.budgetPeriod) {
    return undefined;
  }
  const spent = formatEur(spentEur);
  return Number(readAmount(budgetEur) ?? spentEur) < Number(spentEur)
    ? texts.keys.spentBelow(spent)
    : texts.keys.spentSoFar(spent);
}
