import type { ListedJob } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { mayChange } from "../../session.ts";
import { texts } from "../../texts/library.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { TestBadge } from "../../ui/test-badge.tsx";
import { showToast } from "../../ui/toast.tsx";
import { CancelButton } from "./cancel-button.tsx";
import { titleOf } from "./images-of-job.ts";
import { cancelAll } from "./job-actions.ts";
import { runningQuery } from "./running-query.ts";
import styles from "./running.module.css";

/** The jobs that are not final, above the list and whatever it is limited to; each can be cancelled. */
export function Running({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const { data } = useQuery(runningQuery);
  if (data === undefined || data.jobs.length === 0) return null;
  const { jobs, hasMore } = data;
  return (
    <section className={styles.running} aria-labelledby="running">
      <header>
        <h2 id="running">{texts.library.running(jobs.length, hasMore)}</h2>
        {jobs.filter(mayChange).length > 1 && <CancelAll />}
      </header>
      <ul>
        {jobs.map((job) => (
          <Row key={job.id} job={job} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  );
}

function Row(props: { readonly job: ListedJob; readonly onOpen: (id: string) => void }) {
  const { job, onOpen } = props;
  const { status, renders_total: total, renders_completed: done } = job;
  const title = titleOf(job);
  return (
    <li>
      <button type="button" className={styles.job} onClick={() => onOpen(job.id)}>
        <span className={styles.title}>
          <TestBadge mode={job.mode} />
          {title}
        </span>
        <span className="num">
          {total > 1 && status === "processing"
            ? texts.library.progress(done, total)
            : texts.library.states[status]}
        </span>
      </button>
      <CancelButton job={job} title={title} />
    </li>
  );
}

function CancelAll() {
  const [isAsking, setAsking] = useState(false);
  async function confirm(): Promise<void> {
    showToast(texts.library.cancelledAll(await cancelAll()));
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.library.cancelAll}</Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.library.cancelAllTitle}
          action={texts.library.cancelAll}
          keep={texts.library.keepAllRunning}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p>{texts.library.cancelAllHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
