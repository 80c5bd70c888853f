import type { ReactNode } from "react";
import styles from "./badge.module.css";

/** A state in one or two words. */
export function Badge(props: {
  readonly kind: "good" | "bad" | "neutral" | "accent";
  readonly children: ReactNode;
}) {
  return <span className={`${styles.badge} ${styles[props.kind]}`}>{props.children}</span>;
}
