/** An SQL expression for an amount as `formatEur` writes it: with 2 to 6 decimals. */
export const asEur = (microEur: string) =>
  `regexp_replace((${microEur} / 1000000::numeric)::numeric(20, 6)::text, '0{1,4}$', '')`;

/** SQL columns that a statement which changes a balance returns for `lowBalanceEvents`. */
export const changedBalance =
  "account.id AS account_id, old.balance_micro_eur AS balance_before, new.balance_micro_eur AS balance, account.low_balance_micro_eur AS low_balance";

/**
 * A query for `recordEvents`: one event when the balance of an account falls below its alert. It is
 * written in the statement that changes the balance, with the account locked, so that each crossing
 * has exactly one event. An increase, such as a release, makes the next crossing possible.
 *
 * @param from relation with the columns of `changedBalance`.
 */
export const lowBalanceEvents = (from: string) => `
  SELECT account_id, NULL::uuid AS generation_id, 'account.balance_low' AS type,
         jsonb_build_object('balance_eur', ${asEur("balance")},
                            'low_balance_eur', ${asEur("low_balance")}) AS data
    FROM ${from} WHERE balance < low_balance AND balance_before >= low_balance`;
