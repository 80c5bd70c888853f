import {
  readChosenScenes,
  searchGenerations,
  type FoundGeneration,
  type FoundRender,
  type Owner,
} from "@atelier/generations";
import type { ApiDependencies } from "../dependencies.ts";

/** Metadata with which Studio requests a scene again: the story, and the position of the scene from 1. */
const metadata = { story: "studio_story", scene: "studio_scene" } as const;

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

/**
 * Decides which version each scene of a story shows: the chosen one, else the newest, as long as its
 * image is kept; else the story's own.
 */
export function pickScenes(story: FoundGeneration, { again, chosen }: Versions): ShownScene[] {
  return Array.from({ length: story.scenesTotal ?? 0 }, (_, index): ShownScene => {
    const scene = index + 1;
    const choice = chosen.get(scene);
    if (choice === story.id && hasImage(story, index)) return { scene, version: story };
    const versions = again.filter(
      (one) => one.metadata[metadata.scene] === String(scene) && hasImage(one),
    );
    const version = versions.find(({ id }) => id === choice) ?? versions[0] ?? story;
    return { scene, version };
  });
}

/** Reads the versions of the scenes of a completed story that an owner may see. */
export async function readVersions(
  { accountMutex, database }: Pick<ApiDependencies, "accountMutex" | "database">,
  { id }: FoundGeneration,
  owner: Owner,
): Promise<Versions> {
  const [again, chosen] = await Promise.all([
    accountMutex.run(owner.accountId, () =>
      searchGenerations(database, {
        ...owner,
        beforeId: null,
        limit: mostVersions,
        operation: "scene",
        status: "completed",
        metadata: { [metadata.story]: id },
      }),
    ),
    readChosenScenes(database, { accountId: owner.accountId, storyId: id }),
  ]);
  return { again, chosen };
}

/** A story with the images of the versions that it shows, in the places of its own. */
export function withShownScenes(
  story: FoundGeneration,
  shown: readonly ShownScene[],
): FoundGeneration {
  let index = 0;
  const renders = story.renders.map((render) => {
    if (render.role !== "scene") return render;
    const version = shown[index++]?.version ?? story;
    if (version === story) return render;
    const [remade = render] = sceneRenders(version);
    return { ...remade, role: render.role };
  });
  return { ...story, renders };
}
