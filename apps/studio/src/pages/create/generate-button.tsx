import type { Quote } from "@atelier/schemas";
import type { ReactNode } from "react";
import { BudgetHint, CreditNotice } from "../../form/credit-notice.tsx";
import type { Failure } from "../../form/problems.ts";
import { formatEur, formatWait } from "../../format.ts";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { commandKey } from "../../ui/input/command-key.ts";
import { Notice } from "../../ui/notice.tsx";
import { Problem } from "../../ui/problem.tsx";
import styles from "./composer.module.css";
import { countOf, type Draft } from "./draft.ts";

/** The state of the order button. */
export interface OrderState {
  readonly quote: Quote | undefined;
  /** Whether the quote is that of an earlier state of the form. */
  readonly isQuoteStale: boolean;
  readonly quoteError: unknown;
  readonly onQuote: () => void;
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  readonly isUploading: boolean;
  /** Until the service takes the next request; 0 when it does. */
  readonly secondsLeft: number;
  readonly canGenerate: boolean;
}

/** The button with the price, and above it why the last request was refused. */
export function GenerateButton(
  props: OrderState & { readonly draft: Draft; readonly hasFieldProblems: boolean },
) {
  const { quote, isQuoteStale, hasFieldProblems, canGenerate } = props;
  return (
    <div className={styles.order}>
      {!hasFieldProblems && <OrderProblem {...props} />}
      <Button look="primary" isBig type="submit" disabled={!canGenerate}>
        {labelOf(props)}
        <span className={`${styles.price} num`}>
          {isQuoteStale ? "…" : quote && formatEur(quote.price_eur)}
          <kbd aria-hidden="true">{commandKey} ↵</kbd>
        </span>
      </Button>
    </div>
  );
}

function labelOf(props: OrderState & { readonly draft: Draft }): string {
  if (props.isBusy) return texts.create.generating;
  if (props.isUploading) return texts.create.uploading;
  if (props.secondsLeft > 0) return texts.create.generateIn(formatWait(props.secondsLeft));
  const { edit } = props.draft;
  const count = countOf(props.draft);
  if (edit === null) return texts.create.generate(count);
  return edit.operation === "variations"
    ? texts.create.generateVariations(count)
    : texts.create.generateChange[edit.operation];
}

function OrderProblem({ failure, quote, quoteError, onQuote, secondsLeft }: OrderState): ReactNode {
  if (failure !== null) {
    const isOver = failure.retryAfterSeconds !== null && secondsLeft === 0;
    return isOver ? null : <FailureNotice {...{ failure, quote }} />;
  }
  if (quoteError !== null) return <Problem error={quoteError} onRetry={onQuote} />;
  return quote?.affordable === false ? (
    <CreditNotice quote={quote} hint={texts.create.noCreditHint} />
  ) : null;
}

function FailureNotice({
  failure,
  quote,
}: {
  readonly failure: Failure;
  readonly quote: Quote | undefined;
}) {
  const { code, message, retryAfterSeconds } = failure;
  if (code === "insufficient_credit" && quote !== undefined)
    return <CreditNotice quote={quote} hint={texts.create.noCreditHint} />;
  return (
    <Notice kind="bad">
      <p>{code === "rate_limited" ? texts.create.rateLimited : message}</p>
      {code === "unreachable" && <p>{texts.create.mayHaveArrived}</p>}
      {code.endsWith("budget_exhausted") && <BudgetHint />}
      {retryAfterSeconds !== null && <p>{texts.common.retryIn(formatWait(retryAfterSeconds))}</p>}
    </Notice>
  );
}
