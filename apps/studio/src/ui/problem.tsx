import { ApiError, messageOf } from "../api.ts";
import { formatWait } from "../format.ts";
import { texts } from "../texts.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Why a request failed and what to do, with a button that tries again where that may help. */
export function Problem(props: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { error, onRetry } = props;
  if (error === null || error === undefined) return null;
  const scope = missingScope(error);
  const wait = error instanceof ApiError ? error.retryAfterSeconds : null;
  return (
    <Notice kind="bad">
      <p>{scope === null ? messageOf(error) : texts.problem.missingScope(nameOf(scope))}</p>
      {scope !== null && <p>{texts.problem.missingScopeHint}</p>}
      {wait !== null && <p>{texts.common.retryIn(formatWait(wait))}</p>}
      {onRetry !== undefined && scope === null && (
        <div>
          <Button onClick={onRetry}>{texts.common.tryAgain}</Button>
        </div>
      )}
    </Notice>
  );
}

/** The scope that the key of the session lacks; null for other errors. */
function missingScope(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== "key_not_permitted") return null;
  const { required_scope: scope } = (error.details ?? {}) as { readonly required_scope?: unknown };
  return typeof scope === "string" ? scope : null;
}

/** The name of a scope as the pages write it. */
function nameOf(scope: string): string {
  const names: Readonly<Record<string, string>> = texts.problem.scopes;
  return names[scope] ?? scope;
}
