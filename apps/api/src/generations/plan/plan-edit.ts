import type {
  EditRequest,
  EditRole,
  GenerationPlan,
  ImageSource,
  ReferenceSpec,
  Strictness,
} from "@atelier/schemas";
import { styleReferences, suppliedSource } from "@atelier/stories";
import { readImageOptions } from "./image-options.ts";
import { descriptionsOf, planOperation } from "./plan-operation.ts";
import type { PlanDependencies } from "./planner.ts";

/**
 * Plans the edit of an image, or several edits that differ in their seeds. The aspect ratio follows the
 * image, which the worker reads; `sizeEdit` completes the image size.
 *
 * @throws AppError when the model does not exist or lacks a requested feature.
 */
export function planEdit(
  { metadata = {}, ...body }: EditRequest,
  accountStrictness: Strictness,
  { catalogue }: PlanDependencies,
): GenerationPlan {
  const { n: count = 1, reference_images: styles = [], strength = null } = body;
  const options = readImageOptions(body, "edit");
  const plan = planOperation(
    {
      operation: "edit",
      body,
      metadata,
      defaults: { n: count, seed: options.seed },
      prompt: body.prompt,
      aspectRatio: null,
      count,
      options,
      task: { kind: "edit", strength },
      references: [...editedImages(body), ...styleReferences(styles)],
      referenceImages: styles.length,
      hasClientImages: true,
      texts: descriptionsOf(styles, "reference_images"),
    },
    accountStrictness,
    catalogue,
  );
  return { ...plan, hasDefaultSize: body.image_size === undefined };
}

/** The image to edit, and its mask or markup if the request has one. */
function editedImages({ image, mask, markup }: EditRequest): ReferenceSpec[] {
  return [
    ...editImage("source", "image", image),
    ...editImage("mask", "mask", mask),
    ...editImage("markup", "markup", markup),
  ];
}

function editImage(
  role: EditRole,
  path: string,
  source: ImageSource | undefined,
): readonly ReferenceSpec[] {
  if (source === undefined) return [];
  return [{ role, name: null, description: "", source: suppliedSource(source, path) }];
}
