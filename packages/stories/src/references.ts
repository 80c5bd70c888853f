import type { ImageSource as RequestedSource, ReferenceSpec, StorySubject } from "@atelier/schemas";
import type { PlanModel } from "./facts.ts";
import { cleanName } from "./names.ts";
import type { Subject } from "./wording.ts";

/** Source of a character's or location's image: the client, or a render of the plan. */
export type ImageSource = ReferenceSpec["source"];

/** An image that the client supplies, with the path of its source in the request. */
export type ClientImage = Extract<ImageSource, { readonly path: string }>;

/**
 * An image supplied by the client.
 *
 * @param path of the object in the request that names the image.
 */
export function suppliedSource(source: RequestedSource, path: string): ClientImage {
  const { url, upload_id: id, job_id: jobId, image = 0, state } = source;
  const { character_id: characterId, location_id: locationId } = source;
  if (characterId !== undefined) {
    const of = { member: "character", id: characterId } as const;
    const key = state === undefined ? null : cleanName(state);
    return { kind: "member", ...of, state: key, path: `${path}.character_id` };
  }
  if (locationId !== undefined) {
    const of = { member: "location", id: locationId } as const;
    return { kind: "member", ...of, state: null, path: `${path}.location_id` };
  }
  const subject = subjectOf(source);
  if (id !== undefined) return { kind: "upload", id, path: `${path}.upload_id` };
  if (jobId !== undefined) {
    const job = { kind: "job", jobId, image, path: `${path}.job_id` } as const;
    return subject === null ? job : { ...job, subject };
  }
  return { kind: "url", url: url ?? "", path: `${path}.url` };
}

/** The character or location of a story whose image is named; null for other images. */
function subjectOf({ portrait, state, location }: RequestedSource): StorySubject | null {
  if (location !== undefined) return { role: "location", name: cleanName(location), state: null };
  if (portrait === undefined) return null;
  const name = cleanName(portrait);
  return state === undefined
    ? { role: "portrait", name, state: null }
    : { role: "state", name, state: cleanName(state) };
}

/** The image that a client supplies for a character, state or location; null without one. */
export function suppliedImage(
  subject: {
    readonly reference_url?: string | undefined;
    readonly reference?: RequestedSource | undefined;
  },
  path: string,
): ClientImage | null {
  const { reference_url: url, reference } = subject;
  if (url !== undefined) return { kind: "url", url, path: `${path}.reference_url` };
  return reference === undefined ? null : suppliedSource(reference, `${path}.reference`);
}

/** A reference to a character or location; the description is its appearance in the new image. */
export function subjectReference(
  role: "character" | "location",
  { name, description }: Subject,
  source: ImageSource,
): ReferenceSpec {
  return { role, name, description, source };
}

/**
 * A reference to the previous scene, without client text, so that its content is not drawn again.
 */
export function previousSceneReference(position: number): ReferenceSpec {
  return {
    role: "previous-scene",
    name: null,
    description: "The scene before this one, for continuity.",
    source: { kind: "render", position },
  };
}

/** References to the shared reference images, in order. */
export function styleReferences(
  images: readonly (RequestedSource & { readonly description: string })[] | undefined,
): ReferenceSpec[] {
  return (images ?? []).map((image, index) => ({
    role: "style",
    name: null,
    description: image.description,
    source: suppliedSource(image, `reference_images.${index}`),
  }));
}

/**
 * Limits references to the number that the model supports, the most important first: characters, in
 * the order of the scene, then the location, the previous scene, and the shared images. A text can
 * describe a style, but it cannot fully describe a person.
 */
export function limitReferences(
  references: readonly ReferenceSpec[],
  { maxReferenceImages }: PlanModel,
): ReferenceSpec[] {
  const order: readonly ReferenceSpec["role"][] = [
    "character",
    "location",
    "previous-scene",
    "style",
  ];
  return references
    .toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role))
    .slice(0, maxReferenceImages);
}

/** Whether a character or location is among the references. */
export function showSubjects(references: readonly ReferenceSpec[]): boolean {
  return references.some(({ role }) => role === "character" || role === "location");
}
