import { ApiError } from "../../../api.ts";
import type { SaveState as State } from "../../../data/auto-save.ts";
import { texts } from "../../../texts/book.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Problem } from "../../../ui/problem.tsx";
import styles from "./book.module.css";

/** Whether the changes of the book are saved in the account, and why not. */
export function SaveState(props: {
  readonly state: State | null;
  /** Whether the unsaved changes are in the storage of this browser. */
  readonly isKept: boolean;
  readonly onRetry: () => void;
  /** The actions for unsaved changes of a book that the account replaced since; null without any. */
  readonly older: { readonly onUse: () => void; readonly onDiscard: () => void } | null;
  /** Whether only problems are shown. */
  readonly isBrief?: boolean;
}) {
  const { state, isKept, older, onRetry, isBrief = false } = props;
  return (
    <>
      {older !== null && (
        <Notice kind="neutral">
          <p>{texts.book.older}</p>
          <div className={styles.choices}>
            <Button onClick={older.onUse}>{texts.book.useOlder}</Button>
            <Button onClick={older.onDiscard}>{texts.book.discardOlder}</Button>
          </div>
        </Notice>
      )}
      {state?.kind === "failed" ? (
        <div className={styles.unsaved}>
          <p>{isKept ? whyUnsaved(state.error) : texts.book.unkept}</p>
          <Problem error={state.error} onRetry={onRetry} />
        </div>
      ) : (
        state !== null &&
        !isBrief && <p className={styles.saved}>{texts.book.saveStates[state.kind]}</p>
      )}
    </>
  );
}

/** Says what happens with changes that are not saved. Another attempt of a key without the right fails, too. */
function whyUnsaved(error: unknown): string {
  const isForbidden = error instanceof ApiError && error.status === 403;
  return isForbidden ? texts.book.notPermitted : texts.book.saveStates.failed;
}
