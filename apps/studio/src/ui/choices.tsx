import { useId, type ReactNode } from "react";
import styles from "./choices.module.css";

/** One of a few options, all visible. The arrow keys move between them. */
export function Choices(props: {
  readonly label: string;
  readonly options: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem?: string | undefined;
  /** Options per row. */
  readonly columns: number;
  /** The least width of an option as a length of CSS; rows have fewer options where they would be narrower. */
  readonly leastWidth?: string;
  readonly children: (option: string) => ReactNode;
}) {
  const { label, options, value, onChange, problem, columns, leastWidth, children } = props;
  const id = useId();
  return (
    <fieldset
      className={styles.choices}
      aria-describedby={problem === undefined ? undefined : `${id}p`}
    >
      <legend>{label}</legend>
      <div
        className={styles.options}
        style={{ gridTemplateColumns: tracksOf(columns, leastWidth) }}
      >
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
      </div>
      {problem !== undefined && (
        <p id={`${id}p`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function tracksOf(columns: number, leastWidth: string | undefined): string {
  if (leastWidth === undefined) return `repeat(${columns}, 1fr)`;
  const share = `(100% - ${columns - 1} * var(--gap)) / ${columns}`;
  return `repeat(auto-fill, minmax(max(${leastWidth}, ${share}), 1fr))`;
}
