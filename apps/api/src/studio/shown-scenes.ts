import {
  readChosenScenes,
  searchGenerations,
  type FoundGeneration,
  type FoundRender,
  type Owner,
} from "@atelier/generations/jobs";
import type { Needs } from "../dependencies.ts";

/** Metadata with which Studio requests a scene again or makes its picture larger: the story, and the position of the scene from 1. */
const metadata = { story: "studio_story", scene: "studio_scene" } as const;

/** The largest number that a scene can have. */
const largestNumber = 1_000;

/** Versions of all scenes of a story that are considered, newest first. */
const mostVersions = 100;

/** A scene of a story, and the job whose image it shows: a later one for the scene, or the story. */
export interface ShownScene {
  readonly scene: number;
  readonly version: FoundGeneration;
}

/** The jobs that made scenes of a story again, and the choices between them. */
interface Versions {
  /** Completed jobs, newest first. */
  readonly again: readonly FoundGeneration[];
  /** Ids of jobs, or of the story, by the position of the scene. */
  readonly chosen: ReadonlyMap<number, string>;
}

/** The renders with the images of a story's scenes, or the one of a job that made a scene again. */
function sceneRenders({ kind, renders }: FoundGeneration): readonly FoundRender[] {
  return kind === "story" ? renders.filter(({ role }) => role === "scene") : renders.slice(-1);
}

/** Whether the image of a version is kept, of the story that of one of its scenes. */
function hasImage(version: FoundGeneration, index = 0): boolean {
  const scene = sceneRenders(version)[index];
  return scene?.images.some(({ format, deleted }) => format === "png" && !deleted) ?? false;
}

/** The number of the scene that a job was made for; null for other numbers than Studio gives. */
function numberOf(version: FoundGeneration): number | null {
  const number = Number(version.metadata[metadata.scene]);
  return Number.isInteger(number) && number >= 1 && number <= largestNumber ? number : null;
}

/** The numbers of the scenes of a story: its own from 1 on, and then those that were added to it. */
export function numbersOf(story: FoundGeneration, { again }: Versions): readonly number[] {
  const own = story.scenesTotal ?? 0;
  const added = again.map(numberOf).filter((number) => number !== null && number > own);
  return [
    ...Array.from({ length: own }, (_, index) => index + 1),
    ...[...new Set(added)].sort((one, other) => (one ?? 0) - (other ?? 0)),
  ] as number[];
}

/**
 * Decides which version each scene of a story shows: the chosen one, else the newest, as long as its
 * image is kept; else the story's own, or the newest of a scene that was added.
 */
export function pickScenes(story: FoundGeneration, found: Versions): ShownScene[] {
  const { again, chosen } = found;
  return numbersOf(story, found).map((scene): ShownScene => {
    const isOwn = scene <= (story.scenesTotal ?? 0);
    const choice = chosen.get(scene);
    if (isOwn && choice === story.id && hasImage(story, scene - 1))
      return { scene, version: story };
    const all = again.filter((one) => numberOf(one) === scene);
    const versions = all.filter((one) => hasImage(one));
    const picked = versions.find(({ id }) => id === choice) ?? versions[0];
    return { scene, version: picked ?? (isOwn ? story : (all[0] ?? story)) };
  });
}

/** Reads the versions of the scenes of a completed story that an owner may see. */
export async function readVersions(
  { accountMutex, database }: Needs<"accountMutex" | "database">,
  { id }: FoundGeneration,
  owner: Owner,
): Promise<Versions> {
  const [again, chosen] = await Promise.all([
    accountMutex.run(owner.accountId, () =>
      searchGenerations(database, {
        ...owner,
        beforeId: null,
        limit: mostVersions,
        // Scenes that were drawn again, and pictures that were made larger; jobs for the cast are stories.
        kind: "image",
        status: "completed",
        metadata: { [metadata.story]: id },
      }),
    ),
    readChosenScenes(database, { accountId: owner.accountId, storyId: id }),
  ]);
  return { again, chosen };
}

/**
 * A story with the images of the versions that it shows, in the places of its own, followed by those of
 * the scenes that were added. A number without a scene has no image, so that files keep their numbers.
 */
export function withShownScenes(
  story: FoundGeneration,
  shown: readonly ShownScene[],
): FoundGeneration {
  let index = 0;
  const renders = story.renders.map((render) => {
    if (render.role !== "scene") return render;
    const version = shown[index++]?.version ?? story;
    if (version.id === story.id) return render;
    const [remade = render] = sceneRenders(version);
    return { ...remade, role: render.role };
  });
  const added = shown.slice(index);
  for (let number = index + 1; number <= (added.at(-1)?.scene ?? 0); number += 1) {
    const version = added.find(({ scene }) => scene === number)?.version;
    const [render] = sceneRenders(version ?? story);
    if (render === undefined) continue;
    renders.push({ ...render, role: "scene", images: version === undefined ? [] : render.images });
  }
  return { ...story, renders };
}
