import { ApiError } from "../api.ts";
import { formatTime } from "../format.ts";
import { texts } from "../texts/assist.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { failureOf, problemsByField } from "./problems.ts";

/** Why the assistant wrote nothing that can be shown, and what to do. */
export function AssistProblem(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { error, onRetry } = props;
  if (error === null || error === undefined) return null;
  const own = error instanceof ApiError ? textOf(error) : null;
  if (own === null) return <Problem error={error} onRetry={onRetry} />;
  return (
    <Notice kind="bad">
      <p>{own.text}</p>
      {own.canRetry && (
        <div>
          <Button onClick={onRetry}>{texts.common.tryAgain}</Button>
        </div>
      )}
    </Notice>
  );
}

/** The text for an error of the assistant; null for errors that any request can have. */
function textOf(error: ApiError): { readonly text: string; readonly canRetry: boolean } | null {
  const { problems } = texts.assist;
  const { code, retryAfterSeconds } = error;
  const details = (error.details ?? {}) as {
    readonly reason?: unknown;
    readonly limit_per_day?: unknown;
  };
  switch (code) {
    case "content_policy_violation":
    case "content_illegal": {
      const [refused = problems.refused] = problemsByField(failureOf(error)).values();
      return { text: refused, canRetry: false };
    }
    case "rate_limited": {
      if (typeof details.limit_per_day !== "number") return { text: problems.busy, canRetry: true };
      const next = new Date(Date.now() + 1_000 * (retryAfterSeconds ?? 0)).toISOString();
      return { text: problems.limit(details.limit_per_day, formatTime(next)), canRetry: false };
    }
    case "provider_refused":
      return { text: problems.declined, canRetry: false };
    case "provider_error": {
      const isWithheld = details.reason === "withheld";
      return { text: isWithheld ? problems.withheld : problems.unusable, canRetry: true };
    }
    case "provider_unavailable":
      return { text: problems.unavailable, canRetry: true };
    case "assistant_off":
      return { text: problems.off, canRetry: false };
    default:
      return null;
  }
}
