import {
  chooseEditSize,
  nearestAspectRatio,
  prepareEdit,
  prepareTool,
  type ProviderRequest,
} from "@atelier/models";
import type { Claim } from "@atelier/generations/claims";
import { isEditRole, isToolTask, type EditRole } from "@atelier/schemas";
import type { RenderDependencies } from "../../dependencies.ts";
import type { LoadedReference } from "./load-references.ts";

/** The images of a render and its operation, as the provider receives them. */
export type ProviderInputs = Pick<ProviderRequest, "references" | "task"> &
  Partial<Pick<ProviderRequest, "aspectRatio" | "pixels">>;

/**
 * Prepares the loaded images of a render for its operation. A tool makes an exact size. An edit is made in
 * the model's aspect ratio that is nearest to its image.
 *
 * @throws AppError `reference_invalid` for an image, a mask or markup that cannot be used, and
 *   `unsupported_image_size` for an image that needs another image size, with the JSON path in the
 *   request.
 */
export async function prepareInputs(
  { model, spec }: Pick<Claim, "model" | "spec">,
  loaded: readonly LoadedReference[],
  { catalogue }: Pick<RenderDependencies, "catalogue">,
): Promise<ProviderInputs> {
  const references = loaded.flatMap(({ role, ...reference }) =>
    isEditRole(role) ? [] : [{ role, ...reference }],
  );
  const { task } = spec;
  if (task === undefined) return { references };
  if (task.kind !== "edit" && !isToolTask(task)) return { references, task };
  const find = (wanted: EditRole) => loaded.find(({ role }) => role === wanted) ?? null;
  const [image, mask, markup] = [find("source"), find("mask"), find("markup")];
  if (image === null) throw new Error("a change of an image was accepted without the image");
  const entry = catalogue.entryOf(model);
  const aspectRatios = entry?.aspect_ratios ?? [spec.aspectRatio];
  if (isToolTask(task)) {
    const { shape, ...prepared } = await prepareTool(task, image, mask);
    return { references, ...prepared, aspectRatio: nearestAspectRatio(aspectRatios, shape) };
  }
  const { edit, ...size } = await prepareEdit({ image, mask, markup }, task.strength, spec.pixels);
  if (task.isSizeUnknown === true && entry !== null) {
    chooseEditSize(entry, size, { requested: spec.imageSize, hasMask: mask !== null });
  }
  return { references, task: edit, aspectRatio: nearestAspectRatio(aspectRatios, size) };
}
