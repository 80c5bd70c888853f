import type { Job } from "@atelier/schemas";
import { shownOf } from "../cast/cast.ts";
import type { CastEntry } from "../cast/member.ts";
import type { StoryImage } from "../story-cards.ts";
import type { StoryBody } from "../story-request.ts";
import {
  addedRequest,
  contentOfAdded,
  contentOfOwn,
  membersOfAdded,
  membersOf,
  type SceneContent,
} from "./added-request.ts";

/** A scene whose picture shows an older portrait or place. */
export interface OutdatedScene {
  readonly scene: number;
  /** The request that makes it again with the pictures that scenes use now. */
  readonly body: StoryBody;
}

/**
 * Whether an image of a scene was made with another portrait or place than scenes use now.
 *
 * @param maker the job that made it: the story itself, or a job that was added to it.
 */
function isOutdated(job: Job, maker: Job, image: StoryImage, cast: readonly StoryImage[]) {
  const used: readonly CastEntry[] =
    maker.id === job.id
      ? membersOf(contentOfOwn(job, sceneOf(image))).map((one) => ({ ...one, job_id: job.id }))
      : membersOfAdded(job, maker);
  return used.some((one) => {
    const now = shownOf(cast, one);
    return now !== undefined && now.status !== "supplied" && now.jobId !== one.job_id;
  });
}

/**
 * Finds the images of the story that show an older portrait or place, and those of their scenes of which no version is
 * up to date or being made.
 *
 * @param images the versions of all scenes.
 * @param shown the version of each scene that the story shows.
 * @param jobs the jobs that made the versions, by id.
 * @param cast the pictures of the cast that scenes use.
 */
export function findOutdated(
  job: Job,
  images: readonly StoryImage[],
  shown: readonly StoryImage[],
  jobs: ReadonlyMap<string, Job>,
  cast: readonly StoryImage[],
): { readonly marked: ReadonlySet<string>; readonly toMake: readonly OutdatedScene[] } {
  const isOld = (image: StoryImage) => {
    const maker = jobs.get(image.drawnBy);
    return maker !== undefined && isOutdated(job, maker, image, cast);
  };
  const marked = shown.filter((image) => image.url !== undefined && isOld(image));
  const toMake = marked.filter((image) =>
    images.every((one) => one.scene !== image.scene || isUnmade(one) || isOld(one)),
  );
  return {
    marked: new Set(marked.map(({ id }) => id)),
    toMake: toMake.map((image) => {
      const scene = sceneOf(image);
      const content = contentOf(image, job, jobs);
      return { scene, body: addedRequest(job, scene, content, cast) };
    }),
  };
}

/** The content of a scene as the job that drew its picture has it. */
export function contentOf(
  image: StoryImage,
  job: Job,
  jobs: ReadonlyMap<string, Job>,
): SceneContent {
  const maker = jobs.get(image.drawnBy) ?? job;
  return maker.id === job.id ? contentOfOwn(job, sceneOf(image)) : contentOfAdded(job, maker);
}

/** The number of a scene. Only images of the cast have none. */
const sceneOf = ({ scene }: StoryImage) => scene ?? 0;

const isUnmade = ({ status }: StoryImage) => status === "failed" || status === "cancelled";
