import type { ImageSource, Job, ListedJob } from "@atelier/schemas";
import { shownOf } from "../cast/cast.ts";
import type { CastEntry, Member } from "../cast/member.ts";
import { againMetadata } from "../queries.ts";
import { nextNumber, sceneImages, type ShownRequest, type StoryImage } from "../story-cards.ts";
import type { StoryBody } from "../story-request.ts";

/** The content of a scene, by the names of the story. */
export interface SceneContent {
  readonly prompt: string;
  readonly characters: readonly { readonly name: string; readonly state?: string | undefined }[];
  readonly location: string | undefined;
  /** Undefined for that of the story. */
  readonly aspectRatio: string | undefined;
}

/** A scene before its first field is filled in. */
const emptyScene: SceneContent = {
  prompt: "",
  characters: [],
  location: undefined,
  aspectRatio: undefined,
};

/**
 * The body of `POST /v1/generate/scene` for a scene of a completed story: one that it gets, with a number of its
 * own, or one that is made again.
 *
 * @param number null while it is not known.
 * @param cast the pictures of the cast that scenes use.
 */
export function addedRequest(
  job: Job,
  number: number | null,
  scene: SceneContent,
  cast: readonly StoryImage[],
): StoryBody {
  const { strictness, raw_prompts, parameters }: ShownRequest = job.request;
  const { prompt, characters, location, aspectRatio } = scene;
  return {
    story_job_id: job.id,
    prompt: prompt.trim(),
    characters:
      characters.length === 0
        ? undefined
        : characters.map((one) => subjectOf({ portrait: one.name, state: one.state }, job, cast)),
    location: location === undefined ? undefined : subjectOf({ location }, job, cast),
    aspect_ratio: aspectRatio,
    strictness,
    raw_prompts,
    parameters,
    metadata: metadataOf(job.id, number),
  };
}

/**
 * A character or a place of a scene. The service completes those of the story by their names; others have the
 * description and the picture of the job that made them again.
 */
function subjectOf(member: Member, job: Job, cast: readonly StoryImage[]): object {
  const { portrait, state, location } = member;
  const name = portrait ?? location;
  const image = shownOf(cast, member);
  if (image === undefined || image.jobId === job.id) return { name, state };
  const look = state === undefined ? undefined : image.text;
  const base = state === undefined ? image.text : (shownOf(cast, { portrait })?.text ?? "");
  return {
    name,
    description: describe(base, look),
    reference: { ...image.member, job_id: image.jobId },
  };
}

const maxDescription = 4_000;

/** A look as the service words it for stories: the last statement takes precedence. */
function describe(base: string, look: string | undefined): string {
  const text = look === undefined ? base : `${base}. Now appearing differently: ${look}`;
  return text.slice(0, maxDescription);
}

/** The characters and the place of a scene. */
export function membersOf({ characters, location }: SceneContent): readonly Member[] {
  return [
    ...characters.map(({ name, state }) => ({ portrait: name, state })),
    ...(location === undefined ? [] : [{ location }]),
  ];
}

/** The characters and the place of a scene by its request, with the jobs whose pictures it shows. */
export function membersOfAdded(
  story: Pick<Job, "id" | "request">,
  added: Pick<Job, "request">,
): readonly CastEntry[] {
  const { characters = [], location } = added.request as AddedRequest;
  const subjects = [...characters, ...(location === undefined ? [] : [location])];
  return membersOf(contentOfAdded(story, added)).map((member) => {
    const name = member.portrait ?? member.location;
    const source = subjects.find((one) => one.name === name)?.reference;
    // Earlier versions sent the address of the story's own picture.
    return { ...member, job_id: source?.job_id ?? story.id };
  });
}

function metadataOf(storyId: string, number: number | null): Record<string, string> {
  const story = { [againMetadata.story]: storyId };
  return number === null ? story : { ...story, [againMetadata.scene]: String(number) };
}

/** Gives a new scene the number that is free in a story, as it was just read. */
export function withNumber(body: StoryBody, job: Job, again: readonly ListedJob[]): StoryBody {
  const number = nextNumber(sceneImages(job, again), job.book);
  return { ...body, metadata: metadataOf(job.id, number) };
}

/** The content of one of the story's own scenes. */
export function contentOfOwn(job: Job, number: number): SceneContent {
  const request: ShownRequest = job.request;
  const scene = request.scenes?.[number - 1];
  if (scene === undefined) return emptyScene;
  return {
    prompt: scene.prompt,
    characters: scene.characters ?? [],
    location: scene.location,
    aspectRatio: scene.aspect_ratio,
  };
}

/** The content of a scene that was added, of the request that the service stored for it. */
export function contentOfAdded(
  story: Pick<Job, "request">,
  { request }: Pick<Job, "request">,
): SceneContent {
  const { characters = [], location, prompt, aspect_ratio: ratio } = request as AddedRequest;
  const ofStory: ShownRequest = story.request;
  return {
    prompt: prompt ?? "",
    characters: characters.flatMap((shown) => {
      const character = ofStory.characters?.find(({ name }) => name === shown.name);
      return character === undefined
        ? []
        : [{ name: shown.name, state: stateOf(character, shown) }];
    }),
    location: ofStory.locations?.find(({ name }) => name === location?.name)?.name,
    aspectRatio: ratio === ofStory.aspect_ratio ? undefined : ratio,
  };
}

/** A picture as requests name it. */
interface Pictured {
  readonly reference_url?: string | undefined;
  readonly reference?: ImageSource | undefined;
}

/** The look of a character in a scene: one whose own picture is shown, else the one that the story drew. */
function stateOf(character: Character, shown: Pictured): string | undefined {
  if (hasSamePicture(character, shown)) return undefined;
  const own = Object.entries(character.states ?? {}).find(([, state]) =>
    hasSamePicture(state, shown),
  );
  return own?.[0] ?? shown.reference?.state;
}

function hasSamePicture(one: Pictured, other: Pictured): boolean {
  const a = Object.entries(sourceOf(one));
  const b = sourceOf(other);
  return (
    a.length > 0 &&
    a.length === Object.keys(b).length &&
    a.every(([key, value]) => b[key as keyof ImageSource] === value)
  );
}

function sourceOf({ reference_url: url, reference = {} }: Pictured): ImageSource {
  return url === undefined ? reference : { url };
}

type Character = NonNullable<ShownRequest["characters"]>[number];

interface Subject extends Pictured {
  readonly name: string;
}

interface AddedRequest {
  readonly prompt?: string;
  readonly characters?: readonly Subject[];
  readonly location?: Subject;
  readonly aspect_ratio?: string;
}
