import type { Quote } from "@atelier/schemas";
import { formatEur, formatWait } from "../../format.ts";
import { texts } from "../../texts/stories.ts";
import { Notice } from "../../ui/notice.tsx";
import type { Failure } from "../create/problems.ts";

/** Why a request was refused, and when to try again. */
export function FailureNotice(props: {
  readonly failure: Failure;
  /** Whether it is the failure of the order that the page shows, not of its price. */
  readonly isOfOrder: boolean;
}) {
  const { failure, isOfOrder } = props;
  const { code, message, retryAfterSeconds } = failure;
  return (
    <Notice kind="bad">
      <p>{message}</p>
      {isOfOrder && code === "unreachable" && <p>{texts.create.mayHaveArrived}</p>}
      {retryAfterSeconds !== null && <p>{texts.common.retryIn(formatWait(retryAfterSeconds))}</p>}
    </Notice>
  );
}

/** The balance, or the budget of the key, does not cover a price. */
export function CreditNotice(props: {
  readonly quote: Quote;
  /** Returns the advice for a balance that is too small. */
  readonly hint: (price: string, balance: string) => string;
}) {
  const { quote, hint } = props;
  const { price_eur: price, balance_eur: balance } = quote;
  const isBudget = Number(price) <= Number(balance);
  return (
    <Notice kind="bad">
      <p>{isBudget ? texts.create.keyBudget : texts.create.noCredit}</p>
      <p>{isBudget ? texts.create.keyBudgetHint : hint(formatEur(price), formatEur(balance))}</p>
    </Notice>
  );
}
