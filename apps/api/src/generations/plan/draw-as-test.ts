import { testRenders } from "@atelier/generations/claims";
import { nearestAspectRatio, testLane, type CatalogueEntry } from "@atelier/models";
import type { GenerationPlan, ModelPixels, PlannedRender, RenderSpec } from "@atelier/schemas";
import type { TestCatalogue } from "./test-catalogue.ts";

/**
 * Turns a plan for the model that a request names into one for a built-in model: free, in the lane of
 * tests, in the pixels of the named model as far as they are known.
 */
export function drawAsTest(plan: GenerationPlan, catalogue: TestCatalogue): GenerationPlan {
  const drawing = catalogue.drawingFor(plan.model);
  const listed = catalogue.pixelsOf(plan.model);
  return {
    ...plan,
    mode: "test",
    model: drawing.id,
    namedModel: plan.model,
    request: { ...plan.request, model: drawing.id },
    price: { ...plan.price, eachMicroEur: 0n, stepsMicroEur: 0n },
    renders: plan.renders.map((render): PlannedRender => ({
      ...render,
      lane: testLane,
      model: drawing.id,
      needs: Math.max(render.needs ?? 0, testRenders),
      spec: specFor(render.spec, drawing, listed),
    })),
  };
}

/** Reduces a spec to what built-in models draw: without options of engines, transparency and markup. */
function specFor(
  {
    references: all,
    negativePrompt: _negativePrompt,
    background: _background,
    parameters: _parameters,
    capabilities: _capabilities,
    ...others
  }: RenderSpec,
  drawing: CatalogueEntry,
  listed: readonly ModelPixels[],
): RenderSpec {
  const after = others.after?.map((step) => ({ ...step, priceMicroEur: 0 }));
  const spec = {
    ...others,
    ...(after !== undefined && { after }),
    references: all.filter(({ role }) => role !== "markup"),
  };
  const { aspectRatio, imageSize, task } = spec;
  const isKnown =
    drawing.aspect_ratios.includes(aspectRatio) && Object.hasOwn(drawing.prices_eur, imageSize);
  if (isKnown) return spec;
  const wanted = listed.find(
    (one) => one.aspect_ratio === aspectRatio && one.image_size === imageSize,
  );
  const isDrawnExactly = task === undefined || task.kind === "combine";
  return {
    ...spec,
    ...(isDrawnExactly &&
      wanted !== undefined &&
      spec.pixels === undefined && { pixels: { width: wanted.width, height: wanted.height } }),
    aspectRatio: nearestAspectRatio(drawing.aspect_ratios, shapeOf(aspectRatio)),
    imageSize: sizeFor(imageSize, drawing),
  };
}

/** The shape of an aspect ratio; a square when its name states none. */
function shapeOf(aspectRatio: string): { readonly width: number; readonly height: number } {
  const [width = 1, height = 1] = aspectRatio.split(":").map(Number);
  return width > 0 && height > 0 ? { width, height } : { width: 1, height: 1 };
}

/** The smallest size with at least as many thousands of pixels; the default when the name states none. */
function sizeFor(imageSize: string, { prices_eur, default_image_size }: CatalogueEntry): string {
  const [, thousands] = /^(\d+(?:\.\d+)?)K$/i.exec(imageSize) ?? [];
  if (thousands === undefined) return default_image_size;
  const sizes = Object.keys(prices_eur);
  return (
    sizes.find((size) => Number.parseFloat(size) >= Number(thousands)) ??
    sizes.at(-1) ??
    default_image_size
  );
}
