import type { Job, ListedJob } from "@atelier/schemas";
import { useQueries } from "@tanstack/react-query";
import { isFinal, jobQuery } from "../../../data/queries.ts";
import { readCast, type StoryCast } from "./cast.ts";
import type { CastEntry } from "./member.ts";

const liveMs = 3_000;

/** Signed URLs are valid for an hour. */
const freshMs = 1_800_000;

/** Reads jobs with their requests; live while one of them is not final. */
export function useJobs(ids: readonly string[]): {
  readonly jobs: readonly Job[];
  readonly areRead: boolean;
} {
  return useQueries({
    queries: ids.map((id) => ({
      ...jobQuery(id),
      staleTime: freshMs,
      refetchInterval: ({ state }: { readonly state: { readonly data: Job | undefined } }) =>
        state.data === undefined || isFinal(state.data) ? (false as const) : liveMs,
    })),
    combine: (reads) => ({
      jobs: reads.flatMap(({ data }) => data ?? []),
      areRead: reads.every(({ data }) => data !== undefined),
    }),
  });
}

/**
 * The portraits and places of a story, with those that were made again.
 *
 * @param again jobs for the story.
 * @param entries the choices of its book.
 */
export function useCast(
  job: Job,
  again: readonly ListedJob[],
  entries: readonly CastEntry[],
): { readonly cast: StoryCast; readonly areRead: boolean; readonly hasTries: boolean } {
  const ids = again.filter(({ kind }) => kind === "story").map(({ id }) => id);
  const { jobs, areRead } = useJobs(ids);
  return { cast: readCast(job, jobs, entries), areRead, hasTries: ids.length > 0 };
}
