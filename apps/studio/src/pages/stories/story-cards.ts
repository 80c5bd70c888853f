import type {
  DeliveredFormat,
  FormatVariant,
  ImageSource,
  Job,
  JobStatus,
  ListedJob,
  StoryRequest,
} from "@atelier/schemas";
import { failureOfJob } from "../../form/problems.ts";
import { texts } from "../../texts/stories.ts";
import { scenesOf } from "./book/book.ts";
import type { Member } from "./cast/member.ts";
import { againMetadata, type ShownScenes } from "./queries.ts";

/** One image of a story on its board. */
export interface StoryImage {
  readonly id: string;
  readonly role: "portrait" | "state" | "location" | "scene";
  /** The subject of a portrait, a look or a place; null for scenes. */
  readonly member: Member | null;
  /** Where the request describes it, such as `scenes.2`. */
  readonly path: string;
  readonly name: string;
  /** Its description in the request. */
  readonly text: string;
  /** `supplied`: the client's own picture, which is not made. */
  readonly status: JobStatus | "supplied";
  /** Width divided by height. */
  readonly ratio: number;
  readonly thumbnailUrl: string | undefined;
  /** The image in full size; undefined before completion, and when it is not kept any more. */
  readonly url: string | undefined;
  readonly formats: Partial<Record<DeliveredFormat, FormatVariant>>;
  /** SHA-256 of the PNG; undefined for references, whose hash the service does not return. */
  readonly hash: string | undefined;
  readonly source: ImageSource | null;
  /** Position of the scene from 1; undefined for references. */
  readonly scene: number | undefined;
  /** 1 for the story's own image, more for scenes that were made again. */
  readonly version: number;
  /** The job that made it. */
  readonly jobId: string;
  /** The job that drew it; for a picture that was made larger, the job that drew the smaller one. */
  readonly drawnBy: string;
  /** The job of the smaller picture that it shows. */
  readonly enlarges: string | undefined;
  /** Why it was not made. */
  readonly problem: string | undefined;
}

/** The request of a story as a job shows it; empty after the account was erased. */
export type ShownRequest = Partial<StoryRequest>;

/** Width divided by height, of a ratio such as "16:9". */
function ratioOf(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(":").map(Number);
  return width / height;
}

const noImage = {
  thumbnailUrl: undefined,
  url: undefined,
  formats: {},
  hash: undefined,
  source: null,
  member: null,
  scene: undefined,
  version: 1,
  enlarges: undefined,
  problem: undefined,
};

/** The portraits and places of a story: those that are made, and the client's pictures. */
export function referenceImages(job: Job): readonly StoryImage[] {
  const request: ShownRequest = job.request;
  const { result, renders = [] } = job;
  const characters = (request.characters ?? []).flatMap((character, index) => [
    {
      role: "portrait" as const,
      path: `characters.${index}`,
      subject: character,
      name: character.name,
      state: undefined,
    },
    ...Object.entries(character.states ?? {}).map(([state, subject]) => ({
      role: "state" as const,
      path: `characters.${index}.states.${state}`,
      subject: { ...subject },
      name: character.name,
      state,
    })),
  ]);
  const locations = (request.locations ?? []).map((location, index) => ({
    role: "location" as const,
    path: `locations.${index}`,
    subject: location,
    name: location.name,
    state: undefined,
  }));
  return [...characters, ...locations].map(({ role, path, subject, name, state }) => {
    const render = renders.find(
      (one) => one.role === role && one.name === name && one.state === state,
    );
    const finished = (role === "location" ? result?.locations : result?.characters)?.find(
      (one) => one.name === name && one.state === state,
    );
    const source =
      subject.reference_url === undefined
        ? (subject.reference ?? null)
        : { url: subject.reference_url };
    // A picture of another server cannot be shown.
    const url = finished?.expires_at == null ? undefined : finished.reference_url;
    return {
      ...noImage,
      member:
        role === "location"
          ? { location: name }
          : { portrait: name, ...(state === undefined ? {} : { state }) },
      jobId: job.id,
      drawnBy: job.id,
      id: `${role} ${name} ${state ?? ""}`,
      role,
      path,
      name: state === undefined ? name : texts.stories.stateOf(name, state),
      text: subject.description,
      status: source === null ? (render?.status ?? job.status) : "supplied",
      ratio: role === "location" ? ratioOf(request.aspect_ratio ?? "4:3") : 3 / 4,
      thumbnailUrl: render?.thumbnail_url,
      url,
      source,
    };
  });
}

/** The scenes of a story and those that were added to it, each followed by those that were made again. */
export function sceneImages(job: Job, again: readonly ListedJob[]): readonly StoryImage[] {
  const own = ownScenes(job, again);
  const last = (job.renders ?? []).filter(({ role }) => role === "scene").length;
  const images = [...own, ...addedScenes(job, again, last)];
  const sources = new Map(again.map(({ id, metadata }) => [id, metadata[againMetadata.enlarges]]));
  return images.map((image) => {
    const drawnBy = drawerOf(image.jobId, sources);
    const drawn = images.find((one) => one.jobId === drawnBy && one.scene === image.scene) ?? image;
    return { ...image, drawnBy, text: drawn.text };
  });
}

/** @param sources the jobs of the smaller pictures, by the jobs that made them larger. */
function drawerOf(jobId: string, sources: ReadonlyMap<string, string | undefined>): string {
  const source = sources.get(jobId);
  // A job is older than the one that makes its picture larger; metadata that a client wrote may name any.
  return source === undefined || source >= jobId ? jobId : drawerOf(source, sources);
}

/**
 * The number that a scene gets which is added to a story.
 *
 * @param book the book of the account, which also names scenes that this key cannot read.
 */
export function nextNumber(scenes: readonly StoryImage[], book: unknown): number {
  return Math.max(0, ...scenes.map(({ scene = 0 }) => scene), ...scenesOf(book)) + 1;
}

/** The scenes whose numbers are larger than those of the story's own. */
function addedScenes(job: Job, again: readonly ListedJob[], last: number): readonly StoryImage[] {
  const numberOf = ({ metadata }: ListedJob) => Number(metadata[againMetadata.scene]);
  const numbers = [...new Set(again.map(numberOf))].filter(
    (number) => Number.isInteger(number) && number > last,
  );
  return numbers
    .toSorted((one, other) => one - other)
    .flatMap((number) => {
      const jobs = again.filter((one) => numberOf(one) === number);
      const blank: StoryImage = {
        ...noImage,
        jobId: job.id,
        drawnBy: job.id,
        id: `scene ${number}`,
        role: "scene",
        path: `scenes.${number - 1}`,
        name: texts.stories.sceneNumber(number),
        text: "",
        status: "completed",
        ratio: ratioOf((job.request as ShownRequest).aspect_ratio ?? "4:3"),
        scene: number,
      };
      return jobs.map((one, at) => {
        const { result } = one;
        const ratio = result === null ? blank.ratio : shapeOf(result, blank.ratio);
        const image = { ...versionOf(one, blank, at + 1), ratio };
        return at === 0 ? { ...image, name: blank.name } : image;
      });
    });
}

function shapeOf({ width, height }: NonNullable<ListedJob["result"]>, otherwise: number): number {
  return width === undefined || height === undefined ? otherwise : width / height;
}

function ownScenes(job: Job, again: readonly ListedJob[]): readonly StoryImage[] {
  const request: ShownRequest = job.request;
  const renders = (job.renders ?? []).filter(({ role }) => role === "scene");
  return renders.flatMap((render, index) => {
    const scene = request.scenes?.[index];
    const finished = job.result?.scenes?.[index];
    const number = index + 1;
    const ratio = ratioOf(scene?.aspect_ratio ?? request.aspect_ratio ?? "4:3");
    const own: StoryImage = {
      ...noImage,
      jobId: job.id,
      drawnBy: job.id,
      id: `scene ${number}`,
      role: "scene",
      path: `scenes.${index}`,
      name: texts.stories.sceneNumber(number),
      text: scene?.prompt ?? "",
      status: render.status,
      ratio,
      thumbnailUrl: render.thumbnail_url ?? finished?.thumbnail_url,
      url: finished?.formats?.webp?.url ?? finished?.image_url,
      formats: finished?.formats ?? {},
      hash: finished?.image_hash,
      scene: number,
    };
    const repeated = again.filter(
      ({ metadata }) => metadata[againMetadata.scene] === String(number),
    );
    return [own, ...repeated.map((one, at) => versionOf(one, own, at + 2))];
  });
}

/**
 * Whether a version of a scene is shown by the story or can be chosen for it.
 *
 * @param canChoose whether the session may change the story.
 * @returns null when the scene has fewer than two versions with an image.
 */
export function choiceOf(
  image: StoryImage,
  scenes: readonly StoryImage[],
  shown: ShownScenes | undefined,
  canChoose: boolean,
): "shown" | "choose" | null {
  const { scene, jobId, url } = image;
  const withImage = scenes.filter((one) => one.scene === scene && one.url !== undefined);
  if (shown === undefined || scene === undefined || withImage.length < 2) return null;
  if (shown.get(scene) === jobId) return "shown";
  return url === undefined || !canChoose ? null : "choose";
}

/** The minimum width of a column of scenes in CSS: that of the widest scene at a height of 240 pixels. */
export function columnOf(scenes: readonly StoryImage[]): string {
  const widest = Math.max(...scenes.map(({ ratio }) => ratio), 0);
  return `${Math.min(Math.max(Math.round(240 * widest), 200), 420)}px`;
}

/** One image for each scene: the version that the story shows. */
export function shownImages(
  scenes: readonly StoryImage[],
  shown: ShownScenes | undefined,
): readonly StoryImage[] {
  return scenes
    .filter(({ version }) => version === 1)
    .map((own) => {
      const id = shown?.get(own.scene ?? 0);
      return scenes.find((one) => one.scene === own.scene && one.jobId === id) ?? own;
    });
}

/** An image of a scene that was made again. */
function versionOf(
  { id, status, prompt, metadata, result, error }: ListedJob,
  own: StoryImage,
  version: number,
): StoryImage {
  return {
    ...own,
    id,
    jobId: id,
    drawnBy: id,
    enlarges: metadata[againMetadata.enlarges],
    name: texts.stories.sceneVersion(own.scene ?? 0, version),
    text: prompt ?? own.text,
    status,
    thumbnailUrl: result?.thumbnail_url,
    url: result?.formats?.webp?.url ?? result?.image_url,
    formats: result?.formats ?? {},
    hash: result?.image_hash,
    version,
    problem: failureOfJob(error)?.message,
  };
}

/** Returns the name of a path of the request, such as "Scene 3" for `scenes.2.prompt`. */
export function nameOfPath(path: string, job: Job): string {
  const [list, at] = path.split(".");
  const request: ShownRequest = job.request;
  const index = Number(at);
  if (list === "scenes") return texts.stories.sceneNumber(index + 1);
  if (list === "characters") {
    return request.characters?.[index]?.name ?? texts.stories.characterNumber(index + 1);
  }
  if (list === "locations") {
    return request.locations?.[index]?.name ?? texts.stories.placeNumber(index + 1);
  }
  const fields: Readonly<Record<string, { readonly label: string }>> = texts.stories.fields;
  return fields[list ?? ""]?.label ?? path;
}
