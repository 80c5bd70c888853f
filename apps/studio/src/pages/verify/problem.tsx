import { ApiError, messageOf } from "../../api.ts";
import { formatWait } from "../../format.ts";
import { texts } from "../../texts/verify.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { FileProblem } from "./check-file.ts";
import styles from "./verify.module.css";

/** Why a picture was not checked, and what to do. */
export function Problem(props: { readonly error: Error; readonly onRetry: () => void }) {
  const { error, onRetry } = props;
  if (error instanceof FileProblem) {
    return (
      <Notice kind="bad">
        <p>{texts.verify.unread}</p>
        <p>{error.message}</p>
      </Notice>
    );
  }
  const { status, retryAfterSeconds: wait } =
    error instanceof ApiError ? error : { status: 0, retryAfterSeconds: null };
  const canRetry = status === 0 || status === 429 || status >= 500;
  return (
    <Notice kind="bad">
      <p>{texts.verify.unread}</p>
      <p>{messageOf(error)}</p>
      {wait !== null && <p>{texts.common.retryIn(formatWait(wait))}</p>}
      {canRetry && (
        <div className={styles.retry}>
          <Button onClick={onRetry}>{texts.common.tryAgain}</Button>
        </div>
      )}
    </Notice>
  );
}
