import type { ReferenceSpec } from "@atelier/schemas";
import type { PlanModel } from "./facts.ts";
import type { Subject } from "./wording.ts";

/** Where the image of a character or location comes from: the client, or a render of the plan. */
export type ImageSource = ReferenceSpec["source"];

/** The client's own image, with its place in the request. */
export function suppliedImage(url: string, path: string): ImageSource {
  return { kind: "url", url, path };
}

/** A look at a character or location; the description is of how it has to look in the new image. */
export function subjectReference(
  role: "character" | "location",
  { name, description }: Subject,
  source: ImageSource,
): ReferenceSpec {
  return { role, name, description, source };
}

/** A look at the scene before; it carries no text of the client's, so that nothing of it is drawn again. */
export function previousSceneReference(position: number): ReferenceSpec {
  return {
    role: "previous-scene",
    name: null,
    description: "The scene before this one, for continuity.",
    source: { kind: "render", position },
  };
}

/** Looks at the shared reference images, in their order. */
export function styleReferences(
  images: readonly { readonly description: string; readonly url: string }[] | undefined,
): ReferenceSpec[] {
  return (images ?? []).map(({ description, url }, index) => ({
    role: "style",
    name: null,
    description,
    source: suppliedImage(url, `reference_images.${index}.url`),
  }));
}

/**
 * As many references as the model looks at, the most important first: characters, in the order in
 * which the scene names them, then the location, the previous scene, and the shared images. Who
 * somebody is cannot be said in words alone; a style can.
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

/** True when a character or location is among them. */
export function showSubjects(references: readonly ReferenceSpec[]): boolean {
  return references.some(({ role }) => role === "character" || role === "location");
}
