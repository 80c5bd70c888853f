import type { Job, Model } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, type CSSProperties, type ReactNode } from "react";
import { ApiError } from "../../../api.ts";
import { isFinal, jobQuery, queryClient, recentQuery } from "../../../data/queries.ts";
import { ratioOf } from "../../../form/ratio-shape.tsx";
import { texts } from "../../../texts.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { loadLater } from "../../../ui/load-later.ts";
import { Problem } from "../../../ui/problem.tsx";
import { changeOf, type Draft, type DraftChange, type DraftReference } from "../draft.ts";
import { Blank } from "./blank.tsx";
import { Recent } from "./recent.tsx";
import { Running } from "./running.tsx";
import styles from "./stage.module.css";

const loadResult = () => import("./result.tsx");
const Result = lazy(loadResult);
const Failed = loadLater(async () => (await import("./failed.tsx")).Failed);
const loadWorking = async () => (await import("./working.tsx")).Working;
const Working = loadLater(loadWorking);

/** In place of a job that cannot be read. */
function Unread({ jobId, error }: { readonly jobId: string; readonly error: unknown }) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState icon="alert" title={texts.create.jobMissing} hint={texts.create.jobMissingHint} />
    );
  }
  return <Problem error={error} onRetry={() => void queryClient.refetchQueries(jobQuery(jobId))} />;
}

/** Shows one job, in the state in which it is, and the newest images below. */
export function Stage(props: {
  /** The job of the address; null for none. */
  readonly shownId: string | null;
  readonly job: Job | undefined;
  readonly jobError: unknown;
  readonly draft: Draft;
  readonly models: readonly Model[];
  /** Which image of several is shown, from 0. */
  readonly index: number;
  readonly onShow: (jobId: string, index?: number) => void;
  readonly onChange: DraftChange;
  readonly onRefer: (reference: DraftReference) => void;
}) {
  const { shownId, job, jobError, draft, models, index, onShow, onChange, onRefer } = props;
  const { data: recent } = useQuery(recentQuery);
  const newest = recent?.jobs ?? [];
  const running = newest.filter((one) => !isFinal(one) && one.id !== shownId);
  const finished = newest.filter(({ result }) => result?.thumbnail_url !== undefined).slice(0, 12);
  function showNeighbour(by: 1 | -1): void {
    const ids = finished.map(({ id }) => id);
    const next = ids[ids.indexOf(shownId ?? "") + by];
    if (next !== undefined) onShow(next);
  }
  // Its code arrives while the job is read or made.
  useEffect(() => {
    if (shownId !== null) void Promise.all([loadResult(), loadWorking()]);
  }, [shownId]);
  const requested = job?.request["aspect_ratio"];
  const ratio = typeof requested === "string" ? requested : draft.aspectRatio;
  const frame = { "--ratio": ratioOf(ratio) } as CSSProperties;

  let content: ReactNode;
  if (shownId === null) {
    content = <Blank onChoose={(prompt) => onChange({ prompt })} />;
  } else if (jobError !== null && job === undefined) {
    content = <Unread jobId={shownId} error={jobError} />;
  } else if (job === undefined) {
    content = <div className={styles.canvas} />;
  } else if (!isFinal(job)) {
    content = <Working job={job} />;
  } else if (job.result !== null) {
    content = (
      <Result
        {...{ job, models, index, onChange, onRefer }}
        result={job.result}
        onIndex={(at) => onShow(job.id, at)}
        onJob={showNeighbour}
      />
    );
  } else {
    content = <Failed job={job} />;
  }
  return (
    <section id="stage" className={styles.stage} aria-label={texts.create.result} style={frame}>
      <p className="sr" role="status">
        {job !== undefined && texts.create.states[job.status]}
      </p>
      <Suspense fallback={<div className={styles.canvas} />}>{content}</Suspense>
      <Running jobs={running} />
      <Recent
        jobs={finished}
        shownId={shownId}
        use={{
          refer: onRefer,
          change: (operation, image) => onChange((before) => changeOf(before, operation, image)),
        }}
      />
    </section>
  );
}
