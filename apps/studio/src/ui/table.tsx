import type { ReactNode } from "react";
import styles from "./table.module.css";

/** A table that scrolls sideways on narrow screens, also by keyboard. */
export function Table(props: {
  /** Read out by screen readers. */
  readonly name: string;
  readonly children: ReactNode;
}) {
  return (
    // A region that scrolls must take the focus, so that the arrow keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} role="region" aria-label={props.name} tabIndex={0}>
      <table className={styles.table}>{props.children}</table>
    </div>
  );
}
