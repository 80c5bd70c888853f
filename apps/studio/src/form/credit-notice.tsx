import type { Quote } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "../data/queries.ts";
import { formatEur } from "../format.ts";
import { texts } from "../texts.ts";
import { Notice } from "../ui/notice.tsx";

/** The balance, or the budget of the key, does not cover a price. */
export function CreditNotice(props: {
  readonly quote: Quote;
  /** Returns the advice for a balance that is too small. */
  readonly hint: (price: string, balance: string) => string;
}) {
  const { quote, hint } = props;
  const { price_eur: price, balance_eur: balance } = quote;
  const { data: account } = useQuery(accountQuery);
  // The balance of a key with a budget is the rest of the budget; what the account holds is omitted then.
  const hasBudget = account !== undefined && account.held_eur === undefined;
  const isBudget = hasBudget || Number(price) <= Number(balance);
  return (
    <Notice kind="bad">
      <p>{isBudget ? texts.create.keyBudget : texts.create.noCredit}</p>
      <p>{isBudget ? texts.create.keyBudgetHint : hint(formatEur(price), formatEur(balance))}</p>
    </Notice>
  );
}
