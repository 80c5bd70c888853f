import {
  chooseEditSize,
  nearestAspectRatio,
  prepareEdit,
  type ProviderRequest,
} from "@atelier/models";
import type { Claim } from "@atelier/generations";
import type { RenderDependencies } from "../../dependencies.ts";
import type { LoadedReference } from "./load-references.ts";

/** The images of a render and its operation, as the provider receives them. */
export type ProviderInputs = Pick<ProviderRequest, "references" | "task"> &
  Partial<Pick<ProviderRequest, "aspectRatio">>;

/**
 * Prepares the loaded images of a render for its operation. An edit is made in the model's aspect ratio
 * that is nearest to its image.
 *
 * @throws AppError `reference_invalid` for an image or a mask that cannot be edited, and
 *   `unsupported_image_size` for an image that needs another image size, with the JSON path in the
 *   request.
 */
export async function prepareInputs(
  { model, spec }: Pick<Claim, "model" | "spec">,
  loaded: readonly LoadedReference[],
  { catalogue }: Pick<RenderDependencies, "catalogue">,
): Promise<ProviderInputs> {
  const references = loaded.flatMap(({ role, ...reference }) =>
    role === "source" || role === "mask" ? [] : [{ role, ...reference }],
  );
  const { task } = spec;
  if (task === undefined) return { references };
  if (task.kind !== "edit") return { references, task };
  const source = loaded.find(({ role }) => role === "source");
  if (source === undefined) throw new Error("an edit was accepted without an image");
  const mask = loaded.find(({ role }) => role === "mask") ?? null;
  const { edit, ...size } = await prepareEdit(source, mask, task.strength, spec.pixels);
  const entry = catalogue.entryOf(model);
  if (task.isSizeUnknown === true && entry !== null) {
    chooseEditSize(entry, size, { requested: spec.imageSize, hasMask: mask !== null });
  }
  const aspectRatios = entry?.aspect_ratios ?? [spec.aspectRatio];
  return { references, task: edit, aspectRatio: nearestAspectRatio(aspectRatios, size) };
}
