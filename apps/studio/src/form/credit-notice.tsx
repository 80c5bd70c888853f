import type { Quote } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "../data/queries.ts";
import { formatEur } from "../format.ts";
import { useSession } from "../session.ts";
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
  const isMember = useSession().member !== null;
  // The balance of a key with a budget is the rest of the budget; what the account holds is omitted then.
  const hasBudget = account !== undefined && account.held_eur === undefined;
  const isBudget = hasBudget || Number(price) <= Number(balance);
  return (
    <Notice kind="bad">
      {isBudget ? (
        <>
          <p>{isMember ? texts.create.memberBudget : texts.create.keyBudget}</p>
          <BudgetHint />
        </>
      ) : (
        <>
          <p>{texts.create.noCredit}</p>
          <p>{hint(formatEur(price), formatEur(balance))}</p>
        </>
      )}
    </Notice>
  );
}

/** Advice about a budget that does not cover a request. */
export function BudgetHint() {
  const isMember = useSession().member !== null;
  return <p>{isMember ? texts.create.memberBudgetHint : texts.create.keyBudgetHint}</p>;
}
