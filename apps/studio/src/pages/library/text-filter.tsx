import { useEffect, useState, type KeyboardEvent } from "react";
import { Field } from "../../ui/field.tsx";

/** While a year is typed, its first digits are those of an early one. */
const firstDay = "2000-01-01";

/** A typed filter. It counts after Enter, when the field is left or emptied, or when a day is complete. */
export function TextFilter(props: {
  readonly label: string;
  readonly value: string;
  readonly type?: "text" | "search" | "date";
  readonly placeholder?: string;
  /** In characters. */
  readonly maxLength?: number;
  /** What is wrong with a text, which then does not count. */
  readonly problemOf?: (text: string) => string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { label, value, type = "text", placeholder, maxLength, problemOf, onChange } = props;
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
    if (next === "" || (type === "date" && next >= firstDay)) apply(next);
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
          maxLength={maxLength}
          value={text}
          onChange={({ target }) => change(target.value)}
          onBlur={() => apply(text)}
          onKeyDown={onKeyDown}
        />
      )}
    </Field>
  );
}
