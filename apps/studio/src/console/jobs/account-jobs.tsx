import type { JobStatus } from "@atelier/schemas";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { texts } from "../../texts/console.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/segments.tsx";
import styles from "../console.module.css";
import { accountsQuery } from "../queries.ts";
import { jobStates, type AccountFilter } from "./account-filter.ts";

/** Whose jobs the list shows and in which state, with a button for those of all accounts. */
export function AccountJobs(props: {
  readonly filter: AccountFilter;
  /** Null for all accounts. */
  readonly onChange: (filter: AccountFilter | null) => void;
}) {
  const { filter, onChange } = props;
  const { account_id: id } = filter;
  // A search by id sums 500 charges; the page of the account would sum 20,000.
  const { data } = useInfiniteQuery(accountsQuery(id));
  const account = data?.pages[0]?.accounts.find((one) => one.id === id);
  const { ofAccount, allAccounts, allStates, states, columns } = texts.console.jobs;
  return (
    <div className={styles.filter}>
      <p>
        {ofAccount}{" "}
        <Link href={`/accounts/${id}`} dir="auto">
          {account?.name ?? id}
        </Link>
      </p>
      <Button onClick={() => onChange(null)}>{allAccounts}</Button>
      <Segments<JobStatus | "all">
        label={columns.state}
        options={["all", ...jobStates]}
        value={filter.status ?? "all"}
        onChange={(state) => onChange({ ...filter, status: state === "all" ? undefined : state })}
      >
        {(state) => (state === "all" ? allStates : states[state])}
      </Segments>
    </div>
  );
}
