import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { MoreButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";
import { formatMoment } from "../format-moment.ts";
import { accountsQuery } from "../queries.ts";
import { SearchForm } from "../search-form.tsx";
import { AccountState } from "./account-state.tsx";
import { figuresOf } from "./figures-of.ts";

/** The page with all accounts. */
export function Accounts() {
  const [search, setSearch] = useSearchParams();
  const text = search.get("q") ?? "";
  const list = useInfiniteQuery(accountsQuery(text));
  const { data, error, refetch } = list;
  const accounts = data?.pages.flatMap((page) => page.accounts);
  const { title, field, fieldHint, empty, emptyHint, columns } = texts.console.accounts;
  return (
    <Page title={title}>
      <SearchForm
        label={field}
        hint={fieldHint}
        value={text}
        onSearch={(q) => setSearch(q === "" ? {} : { q })}
      />
      <Problem error={error} onRetry={() => void refetch()} />
      {accounts === undefined && error === null && <p role="status">{texts.common.loading}</p>}
      {accounts?.length === 0 && <EmptyState icon="people" title={empty} hint={emptyHint} />}
      {accounts !== undefined && accounts.length > 0 && (
        <div className={styles.panel}>
          <Table name={title} isStacked>
            <thead>
              <tr>
                <th scope="col">{columns.name}</th>
                <th scope="col" className="num">
                  {columns.balance}
                </th>
                <th scope="col" className="num">
                  {columns.spent}
                </th>
                <th scope="col" className="num">
                  {columns.failed}
                </th>
                <th scope="col">{columns.lastUse}</th>
              </tr>
            </thead>
            <tbody>
              {accounts.map((account) => (
                <tr key={account.id}>
                  <th scope="row" dir="auto">
                    <Link href={`/accounts/${account.id}`}>{account.name}</Link>{" "}
                    <AccountState account={account} />
                  </th>
                  <td className="num">{formatEur(account.balance_eur)}</td>
                  <td className="num" data-name={columns.spent}>
                    {figuresOf(account).spent}
                  </td>
                  <td className="num" data-name={columns.failed}>
                    {figuresOf(account).failed}
                  </td>
                  <td data-name={columns.lastUse}>{formatMoment(account.last_used_at)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      <MoreButton list={list} />
    </Page>
  );
}
