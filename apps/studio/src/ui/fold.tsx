import { useSyncExternalStore, type ReactNode } from "react";
import { useOpen } from "./dialogs/use-open.ts";
import styles from "./fold.module.css";

const narrow = matchMedia("(max-width: 860px)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** On a narrow screen, one line with what it contains until it is opened. */
export function Fold(props: {
  /** Name of the section, for screen readers. */
  readonly name: string;
  readonly summary: string;
  /** Whether it contains a problem, which must be visible. */
  readonly hasProblem?: boolean;
  readonly children: ReactNode;
}) {
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches);
  const { name, summary, hasProblem = false, children } = props;
  const opening = useOpen(hasProblem);
  if (!isNarrow) return children;
  return (
    <details className={styles.fold} {...opening}>
      <summary>
        <span className="sr">{name}: </span>
        {summary}
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
