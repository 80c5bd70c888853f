import { ApiError, messageOf } from "../../api.ts";
import { formatWait } from "../../format.ts";
import { texts } from "../../texts/verify.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./verify.module.css";

/** Why a picture was not checked, and what to do. */
export function Problem(
  props: { readonly message: string } | { readonly error: unknown; readonly onRetry: () => void },
) {
  if ("message" in props) {
    return (
      <Notice kind="bad">
        <p>{texts.verify.unread}</p>
        <p>{props.message}</p>
      </Notice>
    );
  }
  const { error, onRetry } = props;
  const { status, retryAfterSeconds: wait } =
    error instanceof ApiError ? error : { status: 0, retryAfterSeconds: null };
  const isOfFile = status === 415 || status === 422;
  const canRetry = status === 0 || status === 429 || status >= 500;
  return (
    <Notice kind="bad">
      <p>{texts.verify.unread}</p>
      <p>{isOfFile ? texts.verify.unreadKind : messageOf(error)}</p>
      {wait !== null && <p>{texts.common.retryIn(formatWait(wait))}</p>}
      {canRetry && (
        <div className={styles.retry}>
          <Button onClick={onRetry}>{texts.common.tryAgain}</Button>
        </div>
      )}
    </Notice>
  );
}
