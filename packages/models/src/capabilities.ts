import {
  operations,
  type Capability,
  type Operation,
  type ParameterCapability,
} from "@atelier/schemas";
import type { CatalogueEntry } from "./catalogue-entry.ts";

const prefix = "parameters.";

/** Whether a model supports an operation, or an option of one. */
export function supportsCapability(entry: CatalogueEntry, capability: Capability): boolean {
  if (isOperation(capability)) return entry.operations.includes(capability);
  if (isParameter(capability)) {
    return capability.slice(prefix.length) in entry.client_may_set;
  }
  switch (capability) {
    case "mask":
      return entry.supports_mask;
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
export function describeCapable(capability: Capability): string {
  if (capability === "n") return "with a larger max_n";
  if (isParameter(capability)) {
    return `whose parameters include ${capability.slice(prefix.length)}`;
  }
  return isOperation(capability) && capability !== "edit" && capability !== "combine"
    ? `whose operations include "${capability}"`
    : `whose supports_${capability} is true`;
}

function isParameter(capability: Capability): capability is ParameterCapability {
  return capability.startsWith(prefix);
}

function isOperation(capability: Capability): capability is Operation {
  return capability in operations;
}
