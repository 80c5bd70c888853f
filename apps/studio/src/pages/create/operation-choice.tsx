import { texts } from "../../texts.ts";
import { Choices } from "../../ui/choices.tsx";
import type { FormOperation } from "./changes.ts";

/** Chooses what the form requests: a new image, or a change of one. */
export function OperationChoice(props: {
  readonly operations: readonly FormOperation[];
  readonly value: FormOperation;
  readonly onChange: (operation: FormOperation) => void;
}) {
  const { operations, value, onChange } = props;
  if (operations.length < 2) return null;
  // Words of German do not fit beside each other in a narrow form.
  const longest = Math.max(...operations.map((one) => texts.create.operations[one].length));
  return (
    <Choices
      label={texts.create.operation}
      columns={4}
      leastWidth={`${longest * 0.4 + 0.65}rem`}
      options={operations}
      value={value}
      onChange={(operation) => onChange(operation as FormOperation)}
    >
      {(operation) => texts.create.operations[operation as FormOperation]}
    </Choices>
  );
}
