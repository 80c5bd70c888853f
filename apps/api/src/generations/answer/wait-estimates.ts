import type { Database } from "@atelier/database";
import {
  listWaitingJobs,
  type LaneHealth,
  type LaneLoad,
  type WaitingJob,
} from "@atelier/generations/claims";
import type { FoundGeneration } from "@atelier/generations/jobs";
import type { Job } from "@atelier/schemas";

/** Estimates of how long jobs wait for a worker, in seconds; null when unknown. */
export interface WaitEstimates {
  /** The wait of a job that would be accepted now; never waits for the database. */
  ofNewJob(accountId: string, lane: string): number | null;
  /** The waits of an account's pending jobs, by job id. */
  ofJobs(
    accountId: string,
    generations: readonly Pick<FoundGeneration, "id" | "status">[],
  ): Promise<ReadonlyMap<string, number | null>>;
}

const cachedForMs = 1_000;

interface CachedJobs {
  readonly at: number;
  readonly jobs: Promise<readonly WaitingJob[]>;
}

/** Creates estimates. The places of an account's jobs are read at most once a second. */
export function createWaitEstimates(dependencies: {
  readonly database: Pick<Database, "query">;
  readonly laneHealth: LaneHealth;
  readonly laneLoad: LaneLoad;
}): WaitEstimates {
  const { database, laneHealth, laneLoad } = dependencies;
  const cache = new Map<string, CachedJobs>();

  function readJobs(accountId: string): Promise<readonly WaitingJob[]> {
    const now = performance.now();
    // A Map iterates in insertion order: the oldest entry comes first.
    for (const [id, { at }] of cache) {
      if (now - at < cachedForMs) break;
      cache.delete(id);
    }
    const cached = cache.get(accountId);
    if (cached !== undefined) return cached.jobs;
    const jobs = listWaitingJobs(database, accountId);
    cache.set(accountId, { at: now, jobs });
    return jobs;
  }

  function estimate(accountId: string, lane: string, ownAhead: number | null): number | null {
    if (laneHealth.stateOf(lane).kind === "open") return null;
    return laneLoad.estimateWait(lane, accountId, ownAhead);
  }

  return {
    ofNewJob: (accountId, lane) => estimate(accountId, lane, null),
    async ofJobs(accountId, generations) {
      const pending = generations.filter(({ status }) => status === "pending");
      if (pending.length === 0) return new Map();
      const jobs = await readJobs(accountId);
      return new Map(
        pending.map(({ id }) => {
          const job = jobs.find(({ generationId }) => generationId === id);
          return [id, job === undefined ? null : estimate(accountId, job.lane, job.ownAhead)];
        }),
      );
    },
  };
}

/** Adds its estimated wait to a job, if it waits. */
export function withWait<AnyJob extends Pick<Job, "id">>(
  job: AnyJob,
  waits: ReadonlyMap<string, number | null>,
): AnyJob & Pick<Job, "estimated_wait_seconds"> {
  const seconds = waits.get(job.id);
  return seconds === undefined ? job : { ...job, estimated_wait_seconds: seconds };
}
