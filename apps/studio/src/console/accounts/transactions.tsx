import { useInfiniteQuery } from "@tanstack/react-query";
import { formatEur, formatExactTime } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { MoreButton } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";
import { JobLink } from "../jobs/job-link.tsx";
import { transactionsQuery } from "../queries.ts";

/** The top-ups, charges, withdrawals and refunds of an account, newest first. */
export function Transactions({ id }: { readonly id: string }) {
  const list = useInfiniteQuery(transactionsQuery(id));
  const { data, error, refetch } = list;
  const transactions = data?.pages.flatMap((page) => page.transactions);
  const { title, lead, none, columns, kinds } = texts.console.transactions;
  return (
    <Section title={title} lead={lead}>
      <Problem error={error} onRetry={() => void refetch()} />
      {transactions === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {transactions?.length === 0 && <p className={styles.quiet}>{none}</p>}
      {transactions !== undefined && transactions.length > 0 && (
        <Table name={title} isStacked>
          <thead>
            <tr>
              <th scope="col">{columns.time}</th>
              <th scope="col">{columns.kind}</th>
              <th scope="col" className="num">
                {columns.amount}
              </th>
              <th scope="col">{columns.reference}</th>
              <th scope="col">{columns.job}</th>
            </tr>
          </thead>
          <tbody>
            {transactions.map((transaction) => (
              <tr key={transaction.id}>
                <td className={styles.line}>{formatExactTime(transaction.created_at)}</td>
                <td>{kinds[transaction.kind]}</td>
                <td className="num" data-name={columns.amount}>
                  {formatEur(transaction.amount_eur)}
                </td>
                <td dir="auto" data-name={columns.reference}>
                  {transaction.reference}
                </td>
                <td data-name={columns.job}>
                  <JobLink id={transaction.job_id} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <MoreButton list={list} />
    </Section>
  );
}
