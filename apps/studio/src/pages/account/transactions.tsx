import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import { transactionsQuery } from "../../data/account-queries.ts";
import { formatEur, formatTime } from "../../format.ts";
import { texts } from "../../texts/account.ts";
import { MoreButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./account.module.css";

/** Top-ups, charges and withdrawals, newest first. */
export function Transactions() {
  const list = useInfiniteQuery(transactionsQuery);
  const { data, error, refetch } = list;
  const transactions = data?.pages.flatMap((page) => page.transactions);
  useEffect(() => {
    // A link of another page leads here, after the balance above has its place.
    if (location.hash === "#transactions") {
      document.getElementById("transactions")?.scrollIntoView({ block: "start" });
    }
  }, [data === undefined]);
  return (
    <Section
      id="transactions"
      title={texts.account.transactions}
      lead={texts.account.transactionsLead}
    >
      <Problem error={error} onRetry={() => void refetch()} />
      {transactions === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {transactions?.length === 0 && (
        <EmptyState
          icon="chart"
          title={texts.account.noTransactions}
          hint={texts.account.noTransactionsHint}
        />
      )}
      {transactions !== undefined && transactions.length > 0 && (
        <Table name={texts.account.transactions}>
          <thead>
            <tr>
              <th scope="col">{texts.account.time}</th>
              <th scope="col">{texts.account.kind}</th>
              <th scope="col">{texts.account.reference}</th>
              <th scope="col" className="num">
                {texts.account.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {transactions.map((transaction) => (
              <tr key={transaction.id}>
                <td>{formatTime(transaction.created_at)}</td>
                <td>{texts.account.kinds[transaction.kind]}</td>
                <td className={styles.reference}>
                  {transaction.job_id === null ? (
                    transaction.reference
                  ) : (
                    <Link href={`/library?job=${transaction.job_id}`} title={transaction.job_id}>
                      {texts.account.job(transaction.job_id.slice(-6))}
                    </Link>
                  )}
                </td>
                <td className="num">{formatEur(transaction.amount_eur)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <MoreButton list={list} />
    </Section>
  );
}
