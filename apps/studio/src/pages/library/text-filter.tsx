import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Field } from "../../ui/field.tsx";
import { afterPress } from "../../ui/input/pointer-press.ts";

/** Pause in typing after which a text counts: one request for several characters. */
const typingPauseMs = 300;

/** While a year is typed, its first digits are those of an early one. */
const firstDay = "2000-01-01";

/**
 * A typed filter. It counts while it is typed, after a short pause; at once after Enter and when it is
 * emptied. Days count when they are complete. What is wrong is shown after Enter or when the field is left.
 */
export function TextFilter(props: {
  readonly label: string;
  readonly value: string;
  readonly type?: "text" | "search" | "date";
  readonly placeholder?: string;
  /** In characters. */
  readonly maxLength?: number;
  /** Returns the problem of a text, which then does not filter. */
  readonly problemOf?: (text: string) => string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { label, value, type = "text", placeholder, maxLength, problemOf, onChange } = props;
  const [text, setText] = useState(value);
  const [isChecked, setChecked] = useState(false);
  const applied = useRef(value);
  const cancelPending = useRef<() => void>(() => undefined);
  // Changed by others, such as the button that clears the filters.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    cancelPending.current();
    setText(value);
  }, [value]);
  useEffect(() => () => cancelPending.current(), []);
  const problem = problemOf?.(text.trim());
  function apply(next: string): void {
    cancelPending.current();
    const trimmed = next.trim();
    if (trimmed === applied.current || problemOf?.(trimmed) !== undefined) return;
    applied.current = trimmed;
    onChange(trimmed);
  }
  function applySoon(next: string): void {
    cancelPending.current();
    const timer = setTimeout(() => {
      cancelPending.current = afterPress(() => apply(next));
    }, typingPauseMs);
    cancelPending.current = () => clearTimeout(timer);
  }
  function change(next: string): void {
    setChecked(false);
    setText(next);
    if (next === "" || (type === "date" && next >= firstDay)) apply(next);
    else if (type !== "date") applySoon(next);
  }
  function check(): void {
    setChecked(true);
    apply(text);
  }
  function onBlur(): void {
    cancelPending.current();
    cancelPending.current = afterPress(check);
  }
  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === "Enter") check();
  }
  return (
    <Field label={label} problem={isChecked ? problem : undefined}>
      {(control) => (
        <input
          {...control}
          type={type}
          placeholder={placeholder}
          maxLength={maxLength}
          dir="auto"
          value={text}
          onChange={({ target }) => change(target.value)}
          onBlur={onBlur}
          onKeyDown={onKeyDown}
        />
      )}
    </Field>
  );
}
