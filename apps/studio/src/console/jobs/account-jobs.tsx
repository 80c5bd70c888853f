import type { JobStatus } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { texts } from "../../texts/console.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/segments.tsx";
import styles from "../console.module.css";
import { accountQuery } from "../queries.ts";
import { jobStates, type AccountFilter } from "./account-filter.ts";

/** Whose jobs the list shows and in which state, with a button for those of all accounts. */
export function AccountJobs(props: {
  readonly filter: AccountFilter;
  /** Null for all accounts. */
  readonly onChange: (filter: AccountFilter | null) => void;
}) {
  const { filter, onChange } = props;
  const { data } = useQuery(accountQuery(filter.account_id));
  const { ofAccount, allAccounts, allStates, states, columns } = texts.console.jobs;
  return (
    <div className={styles.filter}>
      <p>
        {ofAccount}{" "}
        <Link href={`/accounts/${filter.account_id}`} dir="auto">
          {data?.account.name ?? filter.account_id}
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
