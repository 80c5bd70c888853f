import { operations, type ModelCapability, type Operation } from "@atelier/schemas";
import type { CatalogueEntry } from "./catalogue-entry.ts";

/** Whether a model supports an operation, or an option of one. */
export function supportsCapability(entry: CatalogueEntry, capability: ModelCapability): boolean {
  if (isOperation(capability)) return entry.operations.includes(capability);
  switch (capability) {
    case "mask":
      return entry.supports_mask;
    case "markup":
      return entry.supports_markup;
    case "seed":
      return entry.supports_seed;
    case "negative_prompt":
      return entry.supports_negative_prompt;
    case "transparency":
      return entry.supports_transparency;
    case "svg":
      return entry.supports_svg;
    case "n":
      return entry.max_n > 1;
  }
}

/** Maximum number of reference images for an operation: an image to edit is sent along with them. */
export function maxReferencesFor(entry: CatalogueEntry, operation: Operation): number {
  const max = entry.max_reference_images;
  return operation === "edit" ? Math.max(0, max - 1) : max;
}

/** Describes the models in `GET /v1/models` with a capability, such as "whose supports_seed is true". */
export function describeCapable(capability: ModelCapability): string {
  if (capability === "n") return "with a larger max_n";
  return isOperation(capability) && capability !== "edit" && capability !== "combine"
    ? `whose operations include "${capability}"`
    : `whose supports_${capability} is true`;
}

function isOperation(capability: ModelCapability): capability is Operation {
  return capability in operations;
}
