import type { Budget, SharedBudgetPeriod } from "@atelier/schemas";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api.ts";
import { budgetsQuery } from "../../data/account-queries.ts";
import { amountToSend, writeAmount } from "../../data/amounts.ts";
import { checkChange } from "../../data/check-change.ts";
import { AmountField } from "../../form/amount-field.tsx";
import { texts } from "../../texts/budgets.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { TextField } from "../../ui/text-field.tsx";

const periods = ["total", "day", "week", "month"] as const satisfies readonly SharedBudgetPeriod[];

/** The open dialog and its budget. */
export type BudgetStep =
  | { readonly kind: "create" }
  | { readonly kind: "edit" | "delete"; readonly budget: Budget };

interface BudgetDraft {
  readonly name: string;
  readonly eur: string;
  readonly period: SharedBudgetPeriod;
}

/** The dialog of a step. */
export function BudgetSteps(props: { readonly step: BudgetStep; readonly onClose: () => void }) {
  const { step, onClose } = props;
  const queryClient = useQueryClient();

  const refresh = () => queryClient.invalidateQueries(budgetsQuery);
  async function check(change: Promise<unknown>): Promise<void> {
    await checkChange(change, { gone: texts.budgets.gone, refresh });
    await refresh();
  }

  if (step.kind === "create") {
    return (
      <BudgetForm
        title={texts.budgets.create}
        action={texts.budgets.create}
        initial={{ name: "", eur: "50.00", period: "month" }}
        isNew
        onClose={onClose}
        onSave={(body) => check(call("POST /v1/budgets", { body }))}
      />
    );
  }
  const { id, name, eur, period } = step.budget;
  return step.kind === "edit" ? (
    <BudgetForm
      title={texts.budgets.editName(name)}
      action={texts.common.save}
      initial={{ name, eur: writeAmount(eur), period }}
      isNew={false}
      onClose={onClose}
      onSave={(draft) =>
        check(call("PATCH /v1/budgets/{id}", { id, body: { name: draft.name, eur: draft.eur } }))
      }
    />
  ) : (
    <ConfirmDialog
      title={texts.budgets.deleteName(name)}
      action={texts.budgets.deleteName(name)}
      onConfirm={() => check(call("DELETE /v1/budgets/{id}", { id }))}
      onClose={onClose}
    >
      <p>{texts.budgets.deleteText}</p>
    </ConfirmDialog>
  );
}

/** Creates or changes a budget. */
function BudgetForm(props: {
  readonly title: string;
  readonly action: string;
  readonly initial: BudgetDraft;
  /** Whether its period can be chosen. */
  readonly isNew: boolean;
  readonly onSave: (draft: BudgetDraft) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, action, initial, isNew, onSave, onClose } = props;
  const [draft, setDraft] = useState(initial);
  const change = (part: Partial<BudgetDraft>) => setDraft((before) => ({ ...before, ...part }));
  return (
    <FormDialog
      title={title}
      action={action}
      fields={["name", "eur"]}
      onClose={onClose}
      onSave={async () => {
        await onSave({ ...draft, eur: amountToSend(draft.eur) });
        onClose();
      }}
    >
      {(problems) => (
        <>
          <TextField
            label={texts.budgets.name}
            hint={texts.budgets.nameHint}
            problem={problems.at("name")}
            maxLength={100}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <AmountField
            label={texts.budgets.eur}
            hint={isNew ? undefined : texts.budgets.eurHint}
            problem={problems.at("eur")}
            value={draft.eur}
            onChange={(eur) => change({ eur })}
          />
          {isNew && (
            <Field label={texts.budgets.period} hint={texts.budgets.periodHint}>
              {(control) => (
                <select
                  {...control}
                  value={draft.period}
                  onChange={({ target }) => change({ period: target.value as SharedBudgetPeriod })}
                >
                  {periods.map((period) => (
                    <option key={period} value={period}>
                      {texts.budgets.periods[period]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
        </>
      )}
    </FormDialog>
  );
}
