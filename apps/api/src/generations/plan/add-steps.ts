import { assertStepSizes, planSteps, priceOfAfter, type Catalogue } from "@atelier/models";
import type { GenerationPlan, PixelSize } from "@atelier/schemas";

/**
 * Adds the steps that a request names to all images of its plan, with their prices.
 *
 * @param names valid steps; undefined for none.
 * @throws AppError `model_not_capable` for a step without a model, and `unsupported_image_size` for one that
 *   exceeds a limit, as far as the size of the image is known before it is made.
 */
export function addSteps(
  plan: GenerationPlan,
  names: readonly string[] | undefined,
  catalogue: Catalogue,
): GenerationPlan {
  if (names === undefined) return plan;
  const after = planSteps(names, catalogue);
  const complete = {
    ...plan,
    price: { ...plan.price, stepsMicroEur: priceOfAfter(after) },
    renders: plan.renders.map((render) => ({ ...render, spec: { ...render.spec, after } })),
  };
  const size = plannedPixels(complete, catalogue);
  if (size !== undefined) assertStepSizes(after, size);
  return complete;
}

/** The pixels of the images of a plan; undefined when they are unknown, as those of an edit that follows its image. */
function plannedPixels(
  { model, operation, renders: [first] }: GenerationPlan,
  catalogue: Catalogue,
): PixelSize | undefined {
  const { aspectRatio, imageSize, pixels } = first?.spec ?? {};
  if (pixels !== undefined || operation === "edit") return pixels;
  return catalogue
    .pixelsOf(model)
    .find((one) => one.aspect_ratio === aspectRatio && one.image_size === imageSize);
}
