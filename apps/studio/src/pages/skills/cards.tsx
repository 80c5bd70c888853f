import { useId } from "react";
import styles from "./skills.module.css";

/** One of a few options that need a sentence each. The arrow keys move between them. */
export function Cards<Option extends string>(props: {
  /** Read out by screen readers. */
  readonly label: string;
  readonly options: readonly {
    readonly value: Option;
    readonly name: string;
    readonly hint: string;
  }[];
  readonly value: string;
  readonly onChange: (value: Option) => void;
}) {
  const { label, options, value, onChange } = props;
  const id = useId();
  return (
    <fieldset className={styles.cards} aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            aria-describedby={`${id}${option.value}`}
            aria-label={option.name}
          />
          <span>
            {option.name}
            <small id={`${id}${option.value}`}>{option.hint}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
