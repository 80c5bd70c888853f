import { useId } from "react";
import styles from "./checks.module.css";

/** Any number of a few options, each with a hint. */
export function Checks<Option extends string>(props: {
  readonly label: string;
  readonly options: readonly {
    readonly value: Option;
    readonly name: string;
    readonly hint?: string;
  }[];
  readonly values: readonly Option[];
  readonly onChange: (values: readonly Option[]) => void;
  readonly problem?: string | undefined;
}) {
  const { label, options, values, onChange, problem } = props;
  const id = useId();
  function toggle(value: Option, isChecked: boolean): void {
    const next = isChecked ? [...values, value] : values.filter((other) => other !== value);
    onChange(options.map((option) => option.value).filter((one) => next.includes(one)));
  }
  return (
    <fieldset
      className={styles.checks}
      aria-describedby={problem === undefined ? undefined : `${id}p`}
    >
      <legend>{label}</legend>
      {options.map(({ value, name, hint }) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={({ target }) => toggle(value, target.checked)}
          />
          <span>
            {name}
            {hint !== undefined && <small>{hint}</small>}
          </span>
        </label>
      ))}
      {problem !== undefined && (
        <p id={`${id}p`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
