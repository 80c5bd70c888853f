import type { JobStatus } from "@atelier/schemas";
import { Link } from "wouter";
import { texts } from "../../texts/console.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/segments.tsx";
import styles from "../console.module.css";
import { jobStates, type AccountFilter } from "./account-filter.ts";

/** Whose jobs the list shows and in which state, with a button for those of all accounts. */
export function AccountJobs(props: {
  readonly filter: AccountFilter;
  /** Of the account. */
  readonly name: string;
  /** Null for all accounts. */
  readonly onChange: (filter: AccountFilter | null) => void;
}) {
  const { filter, name, onChange } = props;
  const { ofAccount, allAccounts, allStates, states, columns } = texts.console.jobs;
  return (
    <div className={styles.filter}>
      <p>
        {ofAccount}{" "}
        <Link href={`/accounts/${filter.account_id}`} dir="auto">
          {name}
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
