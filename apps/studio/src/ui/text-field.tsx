import type { ComponentProps } from "react";
import { Field } from "./field.tsx";

/** A labelled text of one line. */
export function TextField(
  props: {
    readonly label: string;
    readonly hint?: string | undefined;
    readonly problem?: string | undefined;
    readonly value: string;
    readonly onChange: (value: string) => void;
  } & Pick<ComponentProps<"input">, "type" | "inputMode" | "maxLength" | "placeholder">,
) {
  const { label, hint, problem, onChange, ...attributes } = props;
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <input
          {...control}
          dir="auto"
          {...attributes}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
