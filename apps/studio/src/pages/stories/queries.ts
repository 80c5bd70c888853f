import type { Job, ListedJob } from "@atelier/schemas";
import type { listJobs, QueryInput, ResultOf } from "@atelier/schemas/endpoints";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call, sendJson } from "../../api.ts";
import { isFinal, queryClient } from "../../data/queries.ts";
import { readAllPages } from "../../data/read-all-pages.ts";

type JobQuery = QueryInput<typeof listJobs>;
type JobPage = ResultOf<typeof listJobs>;

const liveMs = 3_000;

function intervalOf(jobs: readonly ListedJob[]): number | false {
  return jobs.every(isFinal) ? false : liveMs;
}

/** The stories of the account, newest first; live while one of them is not final. */
export const storiesQuery = infiniteQueryOptions({
  queryKey: ["jobs", "stories"],
  queryFn: ({ pageParam, signal }) => {
    const query = { kind: "story", limit: 24, cursor: pageParam } as const;
    return call("GET /v1/jobs", { query, signal });
  },
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor,
  refetchInterval: ({ state }) => intervalOf(state.data?.pages.flatMap(({ jobs }) => jobs) ?? []),
});

/**
 * Metadata of a job for a story: its id, the number of a scene, and the job of the picture that is made larger. Jobs
 * for its cast have no number.
 */
export const againMetadata = {
  story: "studio_story",
  scene: "studio_scene",
  enlarges: "studio_enlarges",
};

/** Reads all pages of the list of jobs for a story, oldest first. */
export async function readAgain(
  storyId: string,
  read: (query: JobQuery) => Promise<JobPage>,
): Promise<readonly ListedJob[]> {
  const query = { metadata: { [againMetadata.story]: storyId }, limit: 100 };
  const pages = await readAllPages((cursor) => read({ ...query, cursor }));
  return pages.flatMap(({ jobs }) => jobs).toReversed();
}

/** The jobs that added scenes to a story or made images of it again, oldest first; live while one is not final. */
export function againQuery(storyId: string) {
  return queryOptions({
    queryKey: ["jobs", "again", storyId],
    queryFn: ({ signal }) => readAgain(storyId, (query) => call("GET /v1/jobs", { query, signal })),
    refetchInterval: ({ state }) => intervalOf(state.data ?? []),
  });
}

/** The ids of the jobs whose images the scenes of a story show, by position from 1. */
export type ShownScenes = ReadonlyMap<number, string>;

interface SceneVersions {
  readonly scenes: readonly { readonly scene: number; readonly job_id: string }[];
}

/** Which version each scene of a completed story shows: the service decides for pages and for the ZIP. */
export function shownScenesQuery(storyId: string) {
  return queryOptions({
    queryKey: ["jobs", "shown", storyId],
    queryFn: async ({ signal }): Promise<ShownScenes> =>
      readShown(
        await sendJson<SceneVersions>("GET", `/studio/stories/${storyId}/scenes`, { signal }),
      ),
  });
}

function readShown({ scenes }: SceneVersions): ShownScenes {
  return new Map(scenes.map(({ scene, job_id: id }) => [scene, id]));
}

/** Chooses which version a scene shows: a job for the scene, the story itself, or null for the newest. */
export async function showVersion(
  storyId: string,
  scene: number,
  jobId: string | null,
): Promise<void> {
  const path = `/studio/stories/${storyId}/scenes/${scene}`;
  const versions = await sendJson<SceneVersions>("PUT", path, { body: { job_id: jobId } });
  const { queryKey } = shownScenesQuery(storyId);
  // A read that began before would bring back the earlier choice.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, readShown(versions));
}

/** An upload, with a new signed URL. */
export function uploadQuery(id: string) {
  return queryOptions({
    queryKey: ["upload", id],
    queryFn: ({ signal }) => call("GET /v1/uploads/{id}", { id, signal }),
    staleTime: 1_800_000,
  });
}

/** The small picture of an image of a job; undefined if it is not kept. */
export function thumbnailOf(job: Job | undefined, index: number): string | undefined {
  const { result } = job ?? {};
  const image = result?.scenes?.[index] ?? result?.images?.[index] ?? result;
  return image?.thumbnail_url;
}
