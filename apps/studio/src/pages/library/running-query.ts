import type { ListedJob } from "@atelier/schemas";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { isFinal, queryClient } from "../../data/queries.ts";

/** The largest page of `GET /v1/jobs`. */
const pageSize = 100;

/** The jobs that are not final, newest first. */
interface RunningJobs {
  readonly jobs: readonly ListedJob[];
  /** Whether there are more than were read. */
  readonly hasMore: boolean;
}

/** The jobs of the account that are not final, whatever the list is limited to. */
export const runningQuery = queryOptions({
  queryKey: ["library-running"],
  queryFn: async ({ signal }): Promise<RunningJobs> => {
    const read = (status: "pending" | "processing") =>
      call("GET /v1/jobs", { query: { status, limit: pageSize }, signal });
    // In this order a job that starts meanwhile is in both lists, and not in none.
    const lists = [await read("pending"), await read("processing")];
    const byId = new Map(lists.flatMap(({ jobs }) => jobs.map((job) => [job.id, job])));
    return {
      jobs: [...byId.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1)),
      hasMore: lists.some(({ next_cursor: cursor }) => cursor !== null),
    };
  },
});

/**
 * Takes over the state of a job, except for the image that it changes: adds it when it is new, and removes it when
 * it is final.
 */
export function updateRunning(job: ListedJob): "added" | "changed" {
  let outcome: "added" | "changed" = "changed";
  queryClient.setQueryData(runningQuery.queryKey, (known) => {
    if (known === undefined) return known;
    const isKnown = known.jobs.some(({ id }) => id === job.id);
    if (isFinal(job)) {
      return isKnown ? { ...known, jobs: known.jobs.filter(({ id }) => id !== job.id) } : known;
    }
    if (!isKnown) outcome = "added";
    const jobs = isKnown
      ? known.jobs.map((one) => (one.id === job.id ? { ...job, source: one.source } : one))
      : [job, ...known.jobs];
    return { ...known, jobs };
  });
  return outcome;
}

/** Whether the cancellation of a job was accepted, which takes effect after its current image. */
export function stoppingQuery(id: string) {
  return queryOptions({
    queryKey: ["library-stopping", id],
    queryFn: () => false,
    initialData: false,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
}
