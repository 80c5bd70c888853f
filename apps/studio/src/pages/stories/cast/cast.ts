import type { Job } from "@atelier/schemas";
import { texts } from "../../../texts/stories.ts";
import { referenceImages, type ShownRequest, type StoryImage } from "../story-cards.ts";
import { isSameMember, type CastEntry, type Member } from "./member.ts";

/** The portraits and places of a story with those that were made again. */
export interface StoryCast {
  /** Each picture of the story, followed by those that were made again. */
  readonly images: readonly StoryImage[];
  /** The picture of each member that scenes use. */
  readonly shown: readonly StoryImage[];
  /** The looks that were drawn with another portrait than the one that scenes use. */
  readonly outdated: ReadonlySet<StoryImage>;
}

/** The picture that scenes use of a member; undefined for one that the story does not have. */
export function shownOf(shown: readonly StoryImage[], member: Member): StoryImage | undefined {
  return shown.find((image) => image.member !== null && isSameMember(image.member, member));
}

/**
 * @param tries jobs that made pictures of the cast again, oldest first.
 * @param entries the choices of the book. Without one, or when its picture is not kept, the story's own is used.
 */
export function readCast(
  job: Job,
  tries: readonly Job[],
  entries: readonly CastEntry[],
): StoryCast {
  const made = tries.flatMap((one) =>
    referenceImages(one)
      .filter(({ status }) => status !== "supplied")
      .map((image) => ({ ...image, id: one.id })),
  );
  const groups = referenceImages(job).map((own) => [
    own,
    ...made
      .filter(({ member }) => own.member !== null && isSameMember(own.member, member ?? {}))
      .map((image, index) => ({
        ...image,
        path: own.path,
        name: texts.stories.memberVersion(own.name, index + 2),
        version: index + 2,
      })),
  ]);
  const shown = groups.flatMap((versions) => {
    const [own] = versions;
    const entry = entries.find((one) => isSameMember(one, own?.member ?? {}));
    const chosen = versions.find(({ jobId, url }) => jobId === entry?.job_id && url !== undefined);
    return chosen ?? own ?? [];
  });
  const jobs = new Map(tries.map((one) => [one.id, one]));
  const outdated = shown.filter((image) => {
    const { role, member, jobId, status } = image;
    const portrait = shownOf(shown, { portrait: member?.portrait });
    if (role !== "state" || status === "supplied" || portrait?.status !== "completed") return false;
    return portraitOf(jobs.get(jobId)) !== portrait.jobId;
  });

  /** The job whose portrait a look was drawn with. */
  function portraitOf(look: Job | undefined): string {
    const request: ShownRequest = look?.request ?? {};
    return request.characters?.[0]?.reference?.job_id ?? job.id;
  }
  return { images: groups.flat(), shown, outdated: new Set(outdated) };
}

/** The choices after a picture of a member was chosen. */
export function chooseMember(
  entries: readonly CastEntry[],
  { member, jobId }: Pick<StoryImage, "member" | "jobId">,
  storyId: string,
): readonly CastEntry[] {
  if (member === null) return entries;
  const others = entries.filter((one) => !isSameMember(one, member));
  return jobId === storyId ? others : [...others, { ...member, job_id: jobId }];
}

/**
 * Whether a picture of the cast is used by scenes or can be chosen for them.
 *
 * @returns null when there are fewer than two versions with a picture.
 */
export function memberChoiceOf(
  image: StoryImage,
  { images, shown }: Pick<StoryCast, "images" | "shown">,
): "shown" | "choose" | null {
  const withImage = images.filter(({ path, url }) => path === image.path && url !== undefined);
  if (withImage.length < 2 || image.url === undefined) return null;
  return shown.some(({ id }) => id === image.id) ? "shown" : "choose";
}
