import type { ReactNode } from "react";
import styles from "./table.module.css";

/** A table that scrolls sideways on narrow screens, also by keyboard. */
export function Table(props: {
  /** Read out by screen readers. */
  readonly name: string;
  /**
   * Whether narrow screens show each row as a block instead: its heading, its cell without `data-name` beside it, and
   * below them a line for each other cell with that name. Default: false.
   */
  readonly isStacked?: boolean;
  readonly children: ReactNode;
}) {
  const { name, isStacked = false, children } = props;
  return (
    // A region that scrolls must take the focus, so that the arrow keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} role="region" aria-label={name} tabIndex={0}>
      <table className={`${styles.table} ${isStacked ? styles.stacked : ""}`}>{children}</table>
    </div>
  );
}
