import type { Job } from "@atelier/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, messageOf } from "../../../api.ts";
import { useLostSince } from "../../../data/connection.ts";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { formatPercent, formatSeconds, formatWait } from "../../../format.ts";
import { texts } from "../../../texts.ts";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { isCancellable } from "./is-cancellable.ts";
import styles from "./stage.module.css";

/** Between reads of the estimated wait. */
const waitMs = 4_000;

/** A job that is not final: how far it is, how long it waits, and a way to stop it. */
export function Working({ job }: { readonly job: Job }) {
  const { status, renders_total: total, renders_completed: done } = job;
  const isLost = useLostSince() !== null;
  const cancelling = useMutation({
    mutationFn: () => call("DELETE /v1/jobs/{id}", { id: job.id }),
    onError: (error) => showToast(messageOf(error)),
    onSettled: () => queryClient.invalidateQueries(jobQuery(job.id)),
  });
  return (
    <div className={styles.board}>
      <div className={`${styles.canvas} ${styles.working}`}>
        <Clock since={job.created_at} />
        {!isLost && (
          <ol className={styles.steps}>
            <li className={status === "pending" ? styles.now : styles.past}>
              {texts.create.states.pending}
            </li>
            <li className={status === "processing" ? styles.now : ""}>
              {texts.create.states.processing}
            </li>
            <li>{texts.create.done}</li>
          </ol>
        )}
        <p className={styles.progress}>
          {isLost && texts.shell.noConnection}
          {!isLost && status === "pending" && <Wait job={job} />}
          {!isLost && status === "processing" && total > 1 && texts.create.doneOf(done, total)}
          {!isLost && status === "processing" && total === 1 && <Made job={job} />}
        </p>
        {total > 1 && <Arrived job={job} />}
        {isCancellable(job) && (
          <Button onClick={() => cancelling.mutate()} disabled={cancelling.isPending}>
            {texts.create.cancel}
          </Button>
        )}
      </div>
    </div>
  );
}

/** How far the image is, if its engine reports it. */
function Made({ job: { progress } }: { readonly job: Job }) {
  return progress === undefined ? null : formatPercent(progress.progress);
}

/** How long the job still waits. The event stream does not contain it. */
function Wait({ job }: { readonly job: Job }) {
  const { data: wait = job.estimated_wait_seconds ?? null } = useQuery({
    queryKey: ["wait", job.id],
    queryFn: async ({ signal }) => {
      const latest = await call("GET /v1/jobs/{id}", { id: job.id, signal });
      return latest.estimated_wait_seconds ?? null;
    },
    refetchInterval: waitMs,
  });
  return wait === null ? texts.create.waitUnknown : texts.create.waitFor(formatWait(wait));
}

/** The images of several that are done. */
function Arrived({ job }: { readonly job: Job }) {
  const urls = (job.renders ?? []).flatMap(({ thumbnail_url: url }) => url ?? []);
  if (urls.length === 0) return null;
  return (
    <div className={styles.arrived}>
      {urls.map((url) => (
        <img key={url} src={url} alt="" />
      ))}
    </div>
  );
}

function Clock({ since }: { readonly since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className={`${styles.clock} num`} aria-hidden="true">
      {formatSeconds((now - Date.parse(since)) / 1_000)}
    </span>
  );
}
