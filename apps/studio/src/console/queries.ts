import type {
  AdminHealth,
  explainAdminJob,
  findAdminJobs,
  recogniseJob,
} from "@atelier/schemas/admin";
import type { ResultOf } from "@atelier/schemas/endpoints";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { callAdmin, sendAdmin } from "./api.ts";
import { timeZone } from "./format-moment.ts";
import type { AccountFilter } from "./jobs/account-filter.ts";
import { readClues, type Clue } from "./jobs/clue.ts";

/** The accounts that a text finds, or all of them, newest first. */
export function accountsQuery(text: string) {
  return infiniteQueryOptions({
    queryKey: ["accounts", text],
    queryFn: ({ pageParam, signal }) =>
      callAdmin("GET /admin/v1/accounts", {
        query: { q: text === "" ? undefined : text, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** An account with its members and keys. */
export function accountQuery(id: string) {
  return queryOptions({
    queryKey: ["account", id],
    queryFn: ({ signal }) => callAdmin("GET /admin/v1/accounts/{id}", { id, signal }),
  });
}

/**
 * The jobs of all accounts that a text leads to, or those of one account; disabled for a text that leads nowhere.
 *
 * @param filter null for all accounts.
 */
export function jobsQuery(text: string, filter: AccountFilter | null) {
  const clues: readonly Partial<Clue>[] =
    text !== "" ? readClues(text, timeZone) : filter === null ? [] : [{}];
  return infiniteQueryOptions({
    queryKey: ["jobs", text, filter],
    queryFn: ({ pageParam, signal }) =>
      findJobs(
        clues.map((clue) => ({ ...filter, ...clue })),
        pageParam,
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    enabled: clues.length > 0,
  });
}

/** The result of the first clue that leads to a job. */
async function findJobs(
  [clue, ...others]: readonly Partial<Clue & AccountFilter>[],
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ResultOf<typeof findAdminJobs>> {
  const found = await callAdmin("GET /admin/v1/jobs", { query: { ...clue, cursor }, signal });
  const isFound = found.jobs.length > 0 || found.archived !== null;
  return isFound || others.length === 0 ? found : findJobs(others, cursor, signal);
}

/** Finds the job that made a picture. */
export function recognise(file: File): Promise<ResultOf<typeof recogniseJob>> {
  // The service reads the kind of the picture from its bytes.
  const body = file.type.startsWith("image/") ? file : new Blob([file], { type: "image/png" });
  return sendAdmin("POST", "/admin/v1/jobs/recognise", { body });
}

/** A job, or what is left of an archived one. */
export type Found = Pick<ResultOf<typeof findAdminJobs>, "jobs" | "archived">;

/** A job of any account with its life. */
export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ["job", id],
    queryFn: ({ signal }) => callAdmin("GET /admin/v1/jobs/{id}", { id, signal }),
  });
}

/** An event in the life of a job. */
export type JobEvent = ResultOf<typeof explainAdminJob>["events"][number];

/** A page of the transactions of an account. A change of the account reads them again. */
export function transactionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...accountQuery(id).queryKey, "transactions"],
    queryFn: ({ pageParam, signal }) =>
      callAdmin("GET /admin/v1/accounts/{id}/transactions", {
        id,
        query: { limit: 10, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** A lane with its queue and provider, and a worker. */
export type Lane = AdminHealth["lanes"][number];
export type Worker = AdminHealth["workers"][number];

/** The lanes and workers, read again every ten seconds. */
export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => callAdmin("GET /admin/v1/health", { signal }),
  refetchInterval: 10_000,
});
