import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";
import styles from "./notice.module.css";

/** A message within a page. Problems are announced by screen readers. */
export function Notice(props: {
  readonly kind: "bad" | "good" | "neutral";
  readonly children: ReactNode;
}) {
  const { kind, children } = props;
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={kind === "bad" ? "alert" : "status"}>
      <Icon name={kind === "good" ? "check" : "alert"} />
      <div>{children}</div>
    </div>
  );
}
