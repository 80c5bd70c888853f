import type { ListedJob } from "@atelier/schemas";

/** A page of `GET /v1/jobs`, or several that follow each other; newest first. */
export interface JobList {
  readonly jobs: readonly ListedJob[];
  /** Null when there are no older jobs. */
  readonly next_cursor: string | null;
}

/** Adds the page after a cursor, unless the list has changed its end since. */
export function appendPage(known: JobList, cursor: string | null, page: JobList): JobList {
  if (known.next_cursor !== cursor) return known;
  return { jobs: [...known.jobs, ...page.jobs], next_cursor: page.next_cursor };
}

/** Changes a job in its place. */
export function changeJob(
  known: JobList,
  id: string,
  change: (job: ListedJob) => ListedJob,
): JobList {
  const at = known.jobs.findIndex((job) => job.id === id);
  const job = known.jobs[at];
  return job === undefined ? known : { ...known, jobs: known.jobs.with(at, change(job)) };
}

/**
 * Adds what a new read of the first page shows. If it has no job in common with what is known, jobs
 * between the two are missing: then only the new page remains, and older ones are read again when they
 * are needed.
 */
export function mergeNewest(known: JobList, newest: JobList): JobList {
  const knownIds = new Set(known.jobs.map(({ id }) => id));
  const added = newest.jobs.filter(({ id }) => !knownIds.has(id));
  const hasGap = added.length === newest.jobs.length && newest.next_cursor !== null;
  if (hasGap) return newest;
  const read = new Map(newest.jobs.map((job) => [job.id, job]));
  const jobs = known.jobs.map((job) => read.get(job.id) ?? job);
  return { jobs: [...added, ...jobs], next_cursor: known.next_cursor };
}
