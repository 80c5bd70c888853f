import type { ReactNode } from "react";
import styles from "./console.module.css";

/** Facts with their names; those without a value are left out. */
export function Facts(props: { readonly values: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {props.values
        .filter(([, value]) => value != null && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
