import { useId, type ReactNode } from "react";
import styles from "./field.module.css";

/** Attributes that connect a control to its label, hint and problem. */
export interface ControlProps {
  readonly id: string;
  readonly className: string | undefined;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** A labelled control with a hint, and with the problem that the service found in it. */
export function Field(props: {
  readonly label: string;
  /** A short text at the right of the label. */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly children: (control: ControlProps) => ReactNode;
}) {
  const { label, aside, hint, problem, children } = props;
  const id = useId();
  const described = [hint === undefined ? null : `${id}h`, problem === undefined ? null : `${id}p`];
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {aside !== undefined && aside !== false && <small>{aside}</small>}
      </div>
      {children({
        id,
        className: styles.control,
        "aria-describedby": described.filter((part) => part !== null).join(" ") || undefined,
        "aria-invalid": problem === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <p id={`${id}h`} className={styles.hint}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}p`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
