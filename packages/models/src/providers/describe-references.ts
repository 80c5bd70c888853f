import type { ProviderReference, ReferenceRole } from "../provider.ts";

const meanings: Readonly<Record<ReferenceRole, string>> = {
  style: "style to follow",
  character: "character",
  location: "location",
  "previous-scene": "the scene before",
};

/** What the image at a place in a row of references shows; `index` counts from 0. */
export function describeReference(reference: ProviderReference, index: number): string {
  const { description, name, role } = reference;
  const subject = [meanings[role], ...(name === null ? [] : [`"${name}"`])].join(" ");
  return `Image ${index + 1} is a reference (${subject}): ${description}`;
}

/**
 * A prompt for a model that gets its references as a row of images: which image is what, by its place
 * in the row, and then the prompt. The prompt alone when there are none.
 */
export function describeReferences(
  prompt: string,
  references: readonly ProviderReference[],
): string {
  if (references.length === 0) return prompt;
  return `${references.map(describeReference).join("\n")}\n\n${prompt}`;
}
