import type { ReactNode } from "react";
import styles from "./page.module.css";

/** The content of a page below its heading, in one column. */
export function Page(props: {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The main actions of the page, at the right of its heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, lead, actions, children } = props;
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  );
}

/** A part of a page with a heading. */
export function Section(props: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly id?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, lead, id, actions, children } = props;
  return (
    <section className={styles.section} id={id}>
      <header className={styles.head}>
        <div>
          <h2>{title}</h2>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
