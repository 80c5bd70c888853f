import type { SaveState as State } from "../../../data/auto-save.ts";
import { texts } from "../../../texts/book.ts";
import { Problem } from "../../../ui/problem.tsx";
import styles from "./book.module.css";

/** Whether the changes of the book are saved in the account, and why not. */
export function SaveState(props: { readonly state: State | null; readonly onRetry: () => void }) {
  const { state, onRetry } = props;
  if (state === null) return null;
  if (state.kind !== "failed") {
    return <p className={styles.saved}>{texts.book.saveStates[state.kind]}</p>;
  }
  return (
    <div className={styles.unsaved}>
      <p>{texts.book.saveStates.failed}</p>
      <Problem error={state.error} onRetry={onRetry} />
    </div>
  );
}
