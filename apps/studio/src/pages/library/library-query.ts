import type { ListedJob } from "@atelier/schemas";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { queryClient } from "../../data/queries.ts";
import { sessionSignal } from "../../data/session-signal.ts";
import { toListed } from "./images-of-job.ts";
import { appendPage, changeJob, mergeNewest, type JobList } from "./job-list.ts";

const pageSize = 60;

const listsKey = ["library"] as const;

/**
 * The jobs that match a query of `GET /v1/jobs`, as far as they were read. Events and `refreshNewest`
 * keep them up to date: to read them again as a whole would take a request for each page.
 */
export function libraryQuery(query: string) {
  return queryOptions({
    queryKey: [...listsKey, query],
    queryFn: ({ signal }) => readPage(query, null, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function readPage(query: string, cursor: string | null, signal?: AbortSignal): Promise<JobList> {
  const filters: object = Object.fromEntries(new URLSearchParams(query));
  const page = { limit: pageSize, cursor: cursor ?? undefined };
  return call("GET /v1/jobs", { query: { ...filters, ...page }, signal });
}

/** Reads the page after the end of a list. */
export async function readMore(query: string): Promise<void> {
  const { queryKey } = libraryQuery(query);
  const cursor = queryClient.getQueryData(queryKey)?.next_cursor ?? null;
  if (cursor === null) return;
  const page = await readPage(query, cursor, sessionSignal());
  queryClient.setQueryData(queryKey, (known) => known && appendPage(known, cursor, page));
}

/**
 * Reads pages of a list until it has ended or has enough, and returns it.
 *
 * @throws the reason of the session's signal when the session ends before.
 */
export async function readUntil(
  query: string,
  isEnough: (list: JobList) => boolean,
): Promise<JobList> {
  const signal = sessionSignal();
  for (;;) {
    signal.throwIfAborted();
    const known = await queryClient.ensureQueryData(libraryQuery(query));
    if (known.next_cursor === null || isEnough(known)) return known;
    await readMore(query);
  }
}

/** Reads the first page of a list again, and adds what is new. */
export async function refreshNewest(query: string): Promise<void> {
  const { queryKey } = libraryQuery(query);
  if (queryClient.getQueryData(queryKey) === undefined) return;
  const newest = await readPage(query, null);
  queryClient.setQueryData(queryKey, (known) => known && mergeNewest(known, newest));
}

/** Takes over the state of a job in all lists. */
export function updateJob({ id, ...state }: Pick<ListedJob, "id"> & Partial<ListedJob>): void {
  queryClient.setQueriesData<JobList>(
    { queryKey: listsKey },
    (known) => known && changeJob(known, id, (job) => ({ ...job, ...state })),
  );
}

let reading: Promise<unknown> = Promise.resolve();

/** Reads a job again, for instance because its URLs have expired: one after another, not all at once. */
export function rereadJob(id: string): void {
  const signal = sessionSignal();
  reading = reading
    .then(() => call("GET /v1/jobs/{id}", { id, signal }))
    .then((job) => updateJob(toListed(job)))
    .catch(() => undefined);
}
