import { jobQuery, queryClient } from "../../../data/queries.ts";
import { useJob } from "../../../data/use-job.ts";
import { againQuery } from "../queries.ts";
import { sceneImages } from "../story-cards.ts";
import { useOnlyStories } from "./story-unread.tsx";
import { useVersions } from "./use-versions.ts";

const none: readonly never[] = [];

/** A story for a page that shows it once it is completed, with all versions of its scenes. */
export function useFinishedStory(id: string) {
  const { job, error } = useJob(id);
  const isCompleted = job?.status === "completed";
  const { again, shown } = useVersions(id, isCompleted);
  useOnlyStories(job);
  return {
    job,
    /** Why the story itself cannot be read. */
    error,
    isCompleted,
    /** The jobs that added scenes or made images again. */
    again: again.data ?? none,
    isLoading: again.isLoading || shown.isLoading,
    scenes: job === undefined ? [] : sceneImages(job, again.data ?? []),
    /** Whether the list has the scenes that were added; a later read may have failed. */
    areScenesRead: again.data !== undefined,
    /** The versions that the story shows. */
    shown: shown.data,
    /** Why versions of its scenes cannot be read. */
    versionsError: again.error ?? shown.error,
    retry: () => void Promise.all([again.refetch(), shown.refetch()]),
    /** Reads the addresses of images again, which expire. */
    refresh: () => {
      void queryClient.invalidateQueries(jobQuery(id));
      void queryClient.invalidateQueries(againQuery(id));
    },
  };
}
