import { useQuery } from "@tanstack/react-query";
import { budgetsQuery } from "../../data/account-queries.ts";
import { texts } from "../../texts/keys.ts";
import { Field } from "../../ui/field.tsx";

/** The choice of the shared budget of a key; nothing for an account without shared budgets. */
export function SharedBudgetField(props: {
  /** The id of the budget; empty without one. */
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (budgetId: string) => void;
}) {
  const { value, problem, onChange } = props;
  const { data: budgets = [] } = useQuery(budgetsQuery);
  if (budgets.length === 0) return null;
  return (
    <Field label={texts.keys.sharedBudget} hint={texts.keys.sharedBudgetHint} problem={problem}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{texts.keys.noSharedBudget}</option>
          {budgets.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
