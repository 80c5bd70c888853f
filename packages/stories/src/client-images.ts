import {
  unusedRole,
  type PlannedRender,
  type SceneRequest,
  type StoryRequest,
} from "@atelier/schemas";
import { suppliedImage, suppliedSource, type ClientImage } from "./references.ts";

/** Returns all images that the client supplies for a story, in the order of the request. */
export function storyImages(request: StoryRequest): ClientImage[] {
  return [
    ...(request.reference_images ?? []).map((image, index) =>
      suppliedSource(image, `reference_images.${index}`),
    ),
    ...request.characters.flatMap((character, index) => [
      suppliedImage(character, `characters.${index}`),
      ...Object.entries(character.states ?? {}).map(([key, state]) =>
        suppliedImage(state, `characters.${index}.states.${key}`),
      ),
    ]),
    ...(request.locations ?? []).map((location, index) =>
      suppliedImage(location, `locations.${index}`),
    ),
  ].filter((image) => image !== null);
}

/** Returns all images that the client supplies for a scene, in the order of the request. */
export function sceneImages({ characters = [], location }: SceneRequest): ClientImage[] {
  return [
    ...characters.map((character, index) => suppliedImage(character, `characters.${index}`)),
    location === undefined ? null : suppliedImage(location, "location"),
  ].filter((image) => image !== null);
}

/**
 * Adds the images of the client that no image of a plan is made with to its first render, which checks
 * them as it does its own references: those of characters, states and locations that no scene shows, and
 * those beyond the number that the model accepts. No scene is made before the first render.
 */
export function checkUnused(
  renders: readonly PlannedRender[],
  images: readonly ClientImage[],
): readonly PlannedRender[] {
  const used = new Set(
    renders.flatMap(({ spec }) =>
      spec.references.map(({ source }) => (source.kind === "render" ? "" : source.path)),
    ),
  );
  const unused = images
    // A kept character brings all of its looks, which were checked when they were kept.
    .filter(({ kind, path }) => kind !== "member" && !used.has(path))
    .map((source) => ({ role: unusedRole, name: null, description: "", source }) as const);
  const [first, ...others] = renders;
  if (first === undefined || unused.length === 0) return renders;
  const references = [...first.spec.references, ...unused];
  return [{ ...first, spec: { ...first.spec, references } }, ...others];
}
