import type { BudgetPeriod } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { readAmount } from "../../data/amounts.ts";
import { modelsQuery } from "../../data/queries.ts";
import { AmountField } from "../../form/amount-field.tsx";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/keys.ts";
import { Checks } from "../../ui/checks.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import form from "../../ui/form.module.css";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { assertLastDay, type KeyDraft } from "./key-draft.ts";
import { SharedBudgetField } from "./shared-budget-field.tsx";

const scopes = ["generate", "read", "manage"] as const;
const periods = ["total", "day", "month"] as const;
const fields = ["name", "scopes", "models", "budget", "budget_id", "expires_at"];

/** Creates or changes a key. */
export function KeyForm(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: KeyDraft;
  /** Amount that an existing key has spent in the period of its budget. */
  readonly spentEur?: string;
  /** Consequence of a change, shown in the form. */
  readonly note?: string | undefined;
  readonly onSave: (draft: KeyDraft) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, action, initial, spentEur, note, onSave, onClose } = props;
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { data: models = [] } = useQuery(modelsQuery);
  const day = useRef<HTMLInputElement>(null);
  // A key may name models that are retired by now.
  const retired = initial.models.filter((id) => !models.some((model) => model.id === id));
  return (
    <FormDialog
      title={title}
      action={action}
      fields={fields}
      onClose={onClose}
      onSave={async () => {
        const isComplete = day.current?.validity.badInput !== true;
        assertLastDay(draft, { initial, isComplete, now: Date.now() });
        await onSave(draft);
      }}
    >
      {(problems) => (
        <>
          {note !== undefined && <Notice kind="neutral">{note}</Notice>}
          <TextField
            label={texts.keys.name}
            hint={texts.keys.nameHint}
            problem={problems.at("name")}
            maxLength={100}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <Checks
            label={texts.keys.scopes}
            options={scopes.map((scope) => ({ value: scope, ...texts.keys.scopeTexts[scope] }))}
            values={draft.scopes}
            onChange={(next) => change({ scopes: next })}
            problem={problems.at("scopes")}
          />
          <Checks
            label={texts.keys.budget}
            options={[{ value: "on", name: texts.keys.hasBudget, hint: texts.keys.hasBudgetHint }]}
            values={draft.hasBudget ? ["on"] : []}
            onChange={(values) => change({ hasBudget: values.length > 0 })}
          />
          {draft.hasBudget && (
            <div className={form.row}>
              <AmountField
                label={texts.keys.budgetEur}
                hint={spentHint(draft, initial, spentEur)}
                problem={problems.at("budget")}
                value={draft.budgetEur}
                onChange={(budgetEur) => change({ budgetEur })}
              />
              <Field label={texts.keys.budgetPeriod}>
                {(control) => (
                  <select
                    {...control}
                    value={draft.budgetPeriod}
                    onChange={({ target }) =>
                      change({ budgetPeriod: target.value as BudgetPeriod })
                    }
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
            onChange={(sharedBudget) => change({ sharedBudget })}
          />
          <Checks
            label={texts.keys.models}
            options={[{ value: "all", name: texts.keys.allModels }]}
            values={draft.hasAllModels ? ["all"] : []}
            onChange={(values) => change({ hasAllModels: values.length > 0 })}
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
              onChange={(next) => change({ models: next })}
              problem={problems.at("models")}
            />
          )}
          <Field
            label={texts.keys.lastDay}
            hint={texts.keys.lastDayHint}
            problem={problems.at("expires_at")}
          >
            {(control) => (
              <input
                {...control}
                ref={day}
                type="date"
                value={draft.lastDay}
                onChange={({ target }) => change({ lastDay: target.value })}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

/** Says how much of its budget an existing key has spent, and what follows from a smaller one. */
function spentHint(
  { budgetEur, budgetPeriod }: KeyDraft,
  initial: KeyDraft,
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
