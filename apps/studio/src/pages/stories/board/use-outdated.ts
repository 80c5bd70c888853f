import type { Job } from "@atelier/schemas";
import { useJobs } from "../cast/use-cast.ts";
import type { ShownScenes } from "../queries.ts";
import { shownImages, type StoryImage } from "../story-cards.ts";
import { findOutdated, type OutdatedScene } from "./outdated-scenes.ts";

interface Outdated {
  /** Ids of the images of the story that show an older portrait or place. */
  readonly marked: ReadonlySet<string>;
  /** The scenes to make again. */
  readonly toMake: readonly OutdatedScene[];
}

const nothing: Outdated = { marked: new Set(), toMake: [] };

/**
 * The scenes of a story that show an older portrait or place than scenes use now.
 *
 * @param scenes the versions of the scenes that are in the story.
 * @param shown which version each scene shows; undefined until it is read.
 * @param cast the pictures of the cast that scenes use; null while none was made again, or until all are read.
 */
export function useOutdated(
  job: Job,
  scenes: readonly StoryImage[],
  shown: ShownScenes | undefined,
  cast: readonly StoryImage[] | null,
): Outdated {
  const ids = scenes.map(({ drawnBy }) => drawnBy).filter((id) => id !== job.id);
  // Lists do not have the requests, which say what a scene shows. Scenes with a version that is not read yet are left
  // out, so that others and the problem of a request stay on the page while a new version is read.
  const { jobs } = useJobs(cast === null ? [] : [...new Set(ids)]);
  if (cast === null || shown === undefined) return nothing;
  const byId = new Map([job, ...jobs].map((one) => [one.id, one]));
  return findOutdated(job, scenes, shownImages(scenes, shown), byId, cast);
}
