import type { Quote } from "@atelier/schemas";
import { formatEur, formatWait } from "../../format.ts";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { commandKey } from "../../ui/command-key.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "./composer.module.css";
import type { Draft } from "./draft.ts";
import type { Failure } from "./problems.ts";

/** The button with the price, and above it why the last request was refused. */
export function GenerateButton(props: {
  readonly draft: Draft;
  readonly quote: Quote | undefined;
  readonly failure: Failure | null;
  readonly hasFieldProblems: boolean;
  readonly isBusy: boolean;
  readonly canGenerate: boolean;
}) {
  const { draft, quote, failure, hasFieldProblems, isBusy, canGenerate } = props;
  return (
    <div className={styles.order}>
      {failure !== null && !hasFieldProblems && <FailureNotice {...{ failure, quote }} />}
      {failure === null && quote?.affordable === false && <CreditNotice quote={quote} />}
      <Button look="primary" isBig type="submit" disabled={!canGenerate}>
        {isBusy ? texts.create.generating : texts.create.generate(draft.count)}
        <span className={`${styles.price} num`}>
          {quote !== undefined && formatEur(quote.price_eur)}
          <kbd aria-hidden="true">{commandKey} ↵</kbd>
        </span>
      </Button>
    </div>
  );
}

function FailureNotice({
  failure,
  quote,
}: {
  readonly failure: Failure;
  readonly quote: Quote | undefined;
}) {
  const { code, message, retryAfterSeconds } = failure;
  if (code === "insufficient_credit" && quote !== undefined) return <CreditNotice quote={quote} />;
  return (
    <Notice kind="bad">
      <p>{message}</p>
      {code === "key_budget_exhausted" && <p>{texts.create.keyBudgetHint}</p>}
      {retryAfterSeconds !== null && <p>{texts.common.retryIn(formatWait(retryAfterSeconds))}</p>}
    </Notice>
  );
}

function CreditNotice({ quote }: { readonly quote: Quote }) {
  const { price_eur: price, balance_eur: balance } = quote;
  const isBudget = Number(price) <= Number(balance);
  return (
    <Notice kind="bad">
      <p>{isBudget ? texts.create.keyBudget : texts.create.noCredit}</p>
      <p>
        {isBudget
          ? texts.create.keyBudgetHint
          : texts.create.noCreditHint(formatEur(price), formatEur(balance))}
      </p>
    </Notice>
  );
}
