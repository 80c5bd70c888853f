import { useId, type ReactNode } from "react";
import styles from "./segments.module.css";

/** One of a few options in one line. The arrow keys move between them. */
export function Segments<Option extends string>(props: {
  /** Read out by screen readers. */
  readonly label: string;
  readonly options: readonly Option[];
  /** Null when none is chosen. */
  readonly value: Option | null;
  readonly onChange: (value: Option) => void;
  readonly children: (option: Option) => ReactNode;
}) {
  const { label, options, value, onChange, children } = props;
  const id = useId();
  return (
    <fieldset className={styles.segments} aria-label={label}>
      {options.map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={id}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>{children(option)}</span>
        </label>
      ))}
    </fieldset>
  );
}
