import { sizedEdits } from "@atelier/generations/claims";
import { findStoredSize } from "@atelier/generations/uploads";
import {
  assertEditable,
  assertStepSizes,
  chooseEditSize,
  editPixels,
  priceOf,
  sizeOfResult,
  type Catalogue,
} from "@atelier/models";
import {
  isReceivedKey,
  isToolTask,
  scaleToEdit,
  type GenerationPlan,
  type PixelSize,
  type PlannedRender,
} from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";

/**
 * Finds the size in which the image to change is used: that of a received one may be scaled down.
 *
 * @param plan with resolved references.
 * @returns null for the image of a foreign URL, which only the worker reads, and without an image to change.
 */
export async function findSourceSize(
  { renders: [first] }: GenerationPlan,
  { database }: Needs<"database">,
): Promise<PixelSize | null> {
  const image = first?.spec.references.find(({ role }) => role === "source")?.source;
  if (image?.kind !== "stored") return null;
  const size = await findStoredSize(database, image.key);
  return size !== null && isReceivedKey(image.key) ? scaleToEdit(size) : size;
}

/**
 * Completes the image size and the price of an edit, which may depend on the size of its image. The
 * image of a foreign URL is read by the worker only, which then checks the image size and the steps.
 *
 * @param size of the image to change, if it is known.
 * @throws AppError `unsupported_image_size` for another size than that of the image when a mask keeps
 *   it, and for a step that exceeds a limit.
 */
export function sizeEdit(
  plan: GenerationPlan,
  size: PixelSize | null,
  { catalogue }: Needs<"catalogue">,
): GenerationPlan {
  const entry = catalogue.entryOf(plan.model);
  const [first] = plan.renders;
  // An exact size does not follow the image.
  if (plan.operation !== "edit" || first === undefined || first.spec.pixels !== undefined) {
    return plan;
  }
  const { references, imageSize: planned, after = [] } = first.spec;
  const isProcedural = entry?.procedural === true;
  if (!isProcedural && after.length === 0) return plan;
  const hasMask = references.some(({ role }) => role === "mask");
  if (!isProcedural) {
    const result = hasMask ? size : smallestListed(plan, catalogue);
    if (result !== null) assertStepSizes(after, result);
    return plan;
  }
  const needs = hasMask ? 0 : sizedEdits;
  if (size === null) {
    const complete = hasMask ? markUnknownSize : (one: PlannedRender) => ({ ...one, needs });
    return { ...plan, renders: plan.renders.map(complete) };
  }
  const requested = plan.hasDefaultSize === true ? undefined : planned;
  const imageSize = chooseEditSize(entry, size, { requested, hasMask });
  const result = hasMask ? size : editPixels(imageSize, size);
  if (result !== null) assertStepSizes(after, result);
  return {
    ...plan,
    request: { ...plan.request, image_size: imageSize },
    price: {
      ...plan.price,
      eachMicroEur: priceOf(entry, imageSize, {
        operation: "edit",
        steps: first.spec.parameters?.steps,
      }),
    },
    renders: plan.renders.map((render) => ({
      ...render,
      needs,
      spec: { ...render.spec, imageSize },
    })),
  };
}

/**
 * Refuses an image to change whose size no worker would take, and a tool whose result would be too large.
 *
 * @param size of the image to change, if it is known, once its upload is not too large to be scaled down.
 * @throws AppError `reference_invalid` for an image of too many pixels, and `unsupported_image_size` for a
 *   result that no tool makes.
 */
export function assertSource({ renders: [first] }: GenerationPlan, size: PixelSize | null): void {
  if (size === null) return;
  assertEditable(size);
  const task = first?.spec.task;
  if (isToolTask(task)) sizeOfResult(task, size);
}

/** The smallest of the sizes in which a vendor's model makes an edit; null when they are not known. */
function smallestListed(
  { model, renders: [first] }: GenerationPlan,
  catalogue: Catalogue,
): PixelSize | null {
  const sizes = catalogue.pixelsOf(model).filter((one) => one.image_size === first?.spec.imageSize);
  return sizes.toSorted((a, b) => a.width * a.height - b.width * b.height)[0] ?? null;
}

function markUnknownSize(render: PlannedRender): PlannedRender {
  const { task } = render.spec;
  if (task?.kind !== "edit") return render;
  return { ...render, spec: { ...render.spec, task: { ...task, isSizeUnknown: true } } };
}
