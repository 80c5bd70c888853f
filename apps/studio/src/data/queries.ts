import type { Job, Model } from "@atelier/schemas";
import { QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, call } from "../api.ts";
import { translate, translateFirstSentence } from "../languages/translate.ts";

/** Everything that was read from the service. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay,
      staleTime: 15_000,
      // The service may be on this computer or in a network without internet, and a request that waits
      // for a connection would be sent later without being asked for.
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});

/** A page does not wait longer than this for a retry, in seconds; it says when to try again. */
const longestRetrySeconds = 10;

/** Repeats requests without a response and those that the service had no time for. */
export function shouldRetry(failures: number, error: Error): boolean {
  if (!(error instanceof ApiError) || failures >= 3) return false;
  if ((error.retryAfterSeconds ?? 0) > longestRetrySeconds) return false;
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

/** Milliseconds before a retry: as the service says, or 1, 2 and 4 seconds. */
export function retryDelay(failures: number, error: Error): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
  return 1_000 * (seconds ?? 2 ** failures);
}

/** The account with its balance. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => call("GET /v1/account", { signal }),
});

/** All models, with their names and the first sentences of their descriptions in the language of the page. */
const allModelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: async ({ signal }) => {
    const { models } = await call("GET /v1/models", { signal });
    return models.map((model) => ({
      ...model,
      name: translate(model.name),
      description: translateFirstSentence(model.description),
    }));
  },
  staleTime: 300_000,
});

/** The models that are not retired. */
export const modelsQuery = queryOptions({
  ...allModelsQuery,
  select: (models: Model[]) => models.filter(({ status }) => status !== "retired"),
});

/** The names of all models by id, also of retired ones. */
export const modelNamesQuery = queryOptions({
  ...allModelsQuery,
  select: (models: Model[]): ReadonlyMap<string, string> =>
    new Map(models.map(({ id, name }) => [id, name])),
});

/** The newest jobs for images, read again while one of them is not final. */
export const recentQuery = queryOptions({
  queryKey: ["jobs", "recent"],
  queryFn: ({ signal }) => call("GET /v1/jobs", { query: { kind: "image", limit: 24 }, signal }),
  refetchInterval: ({ state: { data } }) =>
    data === undefined || data.jobs.every(isFinal) ? false : 5_000,
});

/** One job with its request and result. Every read returns new signed URLs. */
export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ["job", id],
    queryFn: ({ signal }) => call("GET /v1/jobs/{id}", { id, signal }),
  });
}

/** Whether a job will not change any more. */
export function isFinal({ status }: Pick<Job, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
