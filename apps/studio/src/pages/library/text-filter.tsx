import { useEffect, useState, type KeyboardEvent } from "react";
import { Field } from "../../ui/field.tsx";

/** A typed filter. It counts after Enter, or when the field is left or emptied. */
export function TextFilter(props: {
  readonly label: string;
  readonly value: string;
  readonly type?: "text" | "search" | "date";
  readonly placeholder?: string;
  /** What is wrong with a text, which then does not count. */
  readonly problemOf?: (text: string) => string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { label, value, type = "text", placeholder, problemOf, onChange } = props;
  const [text, setText] = useState(value);
  const [isChecked, setChecked] = useState(false);
  useEffect(() => setText(value), [value]);
  const problem = problemOf?.(text.trim());
  function apply(next: string): void {
    setChecked(true);
    const trimmed = next.trim();
    if (trimmed !== value && problemOf?.(trimmed) === undefined) onChange(trimmed);
  }
  function change(next: string): void {
    setChecked(false);
    setText(next);
    if (next === "") apply(next);
  }
  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === "Enter") apply(text);
  }
  return (
    <Field label={label} problem={isChecked ? problem : undefined}>
      {(control) => (
        <input
          {...control}
          type={type}
          placeholder={placeholder}
          maxLength={600}
          value={text}
          onChange={({ target }) => change(target.value)}
          onBlur={() => apply(text)}
          onKeyDown={onKeyDown}
        />
      )}
    </Field>
  );
}
