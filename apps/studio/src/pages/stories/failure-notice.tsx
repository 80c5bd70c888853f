import type { Failure } from "../../form/problems.ts";
import { formatWait } from "../../format.ts";
import { texts } from "../../texts/stories.ts";
import { Notice } from "../../ui/notice.tsx";

/** Why a request was refused, and when to try again. */
export function FailureNotice(props: {
  readonly failure: Failure;
  /** Whether it is the failure of the request that the page shows, not of its price. */
  readonly isOfRequest: boolean;
}) {
  const { failure, isOfRequest } = props;
  const { code, message, retryAfterSeconds } = failure;
  return (
    <Notice kind="bad">
      <p>{message}</p>
      {isOfRequest && code === "unreachable" && <p>{texts.create.mayHaveArrived}</p>}
      {retryAfterSeconds !== null && <p>{texts.common.retryIn(formatWait(retryAfterSeconds))}</p>}
    </Notice>
  );
}
