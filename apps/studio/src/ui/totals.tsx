import styles from "./totals.module.css";

/** A few figures with their names. */
export function Totals(props: { readonly values: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.totals}>
      {props.values.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
