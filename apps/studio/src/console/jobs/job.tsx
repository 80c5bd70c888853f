import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { Button } from "../../ui/button.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Totals } from "../../ui/totals.tsx";
import styles from "../console.module.css";
import { jobQuery } from "../queries.ts";
import { useCanWrite } from "../session.ts";
import { Files } from "./files.tsx";
import { JobFacts } from "./job-facts.tsx";
import { JobState } from "./job-state.tsx";
import { RefundDialog } from "./refund-dialog.tsx";
import { Timeline } from "./timeline.tsx";

/** The page of one job of any account. */
export function JobPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(jobQuery(id));
  const canWrite = useCanWrite();
  const [isRefunding, setRefunding] = useState(false);
  const named = texts.console.jobs;
  if (data === undefined) {
    if (error === null) return <Loading />;
    return (
      <Page title={named.one}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  const { job, archived, events } = data;
  const { charged_eur: charged, refunded_eur: refunded } = job ?? archived ?? {};
  const { account } = job ?? archived ?? {};
  const left = toMicroEur(charged) - toMicroEur(refunded);
  return (
    <Page
      title={named.one}
      lead={
        <>
          <code className={styles.id}>{id}</code> {job !== null && <JobState job={job} />}
        </>
      }
      actions={
        canWrite &&
        left > 0 &&
        job?.account.status !== "erased" && (
          <Button look="primary" onClick={() => setRefunding(true)}>
            {named.refund}
          </Button>
        )
      }
    >
      <Totals
        values={[
          ...(job === null || job.completed_at !== null
            ? []
            : [[named.held, formatEur(job.held_eur)] as const]),
          [named.charged, formatEur(charged ?? 0)],
          [named.refunded, formatEur(refunded ?? 0)],
        ]}
      />
      {archived !== null && (
        <Notice kind="neutral">{named.archived(archived.months.join(", "))}</Notice>
      )}
      <Section title={named.facts} lead={job?.batch_id === null ? named.requestHint : undefined}>
        <JobFacts account={account ?? null} job={job} />
      </Section>
      {job !== null && job.files.length > 0 && (
        <Section title={named.files} lead={named.filesHint}>
          <Files files={job.files} />
        </Section>
      )}
      {events.length > 0 && (
        <Section title={named.life}>
          <Timeline events={events} />
        </Section>
      )}
      {isRefunding && (
        <RefundDialog
          id={id}
          account={account ?? null}
          leftEur={String(left / 1e6)}
          onClose={() => setRefunding(false)}
        />
      )}
    </Page>
  );
}

const toMicroEur = (eur: string | null | undefined) => Math.round(Number(eur ?? 0) * 1e6);
