import { engineParameterNames, type Capability, type PixelSize } from "@atelier/schemas";
import type { EngineDefaults } from "../../engine-settings.ts";
import type { ProviderRequest } from "../../provider.ts";
import { pixelsOf } from "../fit-pixels.ts";
import { invalidRequest } from "../http/call-ended.ts";
import {
  describedTasks,
  usedBy,
  type DescribedRequest,
  type DescribedSizes,
  type Description,
} from "./description.ts";
import { requestsOf } from "./select-request.ts";

/** The capabilities that some request of a description can express. */
export function capabilitiesOf(described: Description): Capability[] {
  const used = new Set(described.requests.flatMap((request) => [...usedBy(request)]));
  const tasks = new Set(described.requests.flatMap(({ when }) => when.tasks));
  return [
    ...describedTasks.filter((task) => task !== "image" && tasks.has(task)),
    // A model without masks gets the area in the prompt; the rest of the image is put back.
    ...(tasks.has("edit") ? (["mask"] as const) : []),
    ...(used.has("negative_prompt") ? (["negative_prompt"] as const) : []),
    ...(used.has("background") ? (["transparency"] as const) : []),
    ...engineParameterNames
      .filter((name) => used.has(name))
      .map((name) => `parameters.${name}` as const),
  ];
}

/** The presets and parameters that some request of a description sends. */
export function parametersOf(described: Description): (keyof EngineDefaults)[] {
  const used = new Set(described.requests.flatMap((request) => [...usedBy(request)]));
  return [...engineParameterNames, "extra" as const].filter((name) => used.has(name));
}

/** The sizes of a request. */
export function sizesOf(described: Description, request: DescribedRequest): DescribedSizes {
  const sizes = request.sizes ?? described.sizes;
  if (sizes === undefined) throw new Error("a request without sizes");
  return sizes;
}

/** Whether a model makes exactly the pixels that a request names: without a mask, which keeps the size of its image. */
export function makesExactSizes(described: Description, model: string): boolean {
  const sized = requestsOf(described, model).filter(({ when }) => when.mask !== true);
  return sized.length > 0 && sized.every((request) => sizesOf(described, request).exact);
}

/**
 * The pixels of a model's images at an aspect ratio and size; null when the vendor chooses them, or for
 * a size that is not described.
 */
export function listedPixels(
  described: Description,
  model: string,
  aspectRatio: string,
  imageSize: string,
): PixelSize | null {
  const [request] = requestsOf(described, model);
  if (request === undefined) return null;
  const sizes = sizesOf(described, request);
  const isDescribed = Object.hasOwn(sizes.of, imageSize);
  const ratios = sizes.of[imageSize]?.by_ratio;
  if (sizes.approximate || !isDescribed) return null;
  if (ratios !== undefined && !Object.hasOwn(ratios, aspectRatio)) return null;
  return pixelsIn(sizes, { aspectRatio, imageSize });
}

/**
 * The pixels of a call; for approximate sizes, the fewest.
 *
 * @throws CallEnded `invalid-request` for a size or a shape that is not described.
 */
export function pixelsIn(
  { exact, of }: DescribedSizes,
  call: Pick<ProviderRequest, "aspectRatio" | "imageSize" | "pixels">,
): PixelSize {
  if (exact && call.pixels !== undefined) return call.pixels;
  const { aspectRatio, imageSize } = call;
  const size = Object.hasOwn(of, imageSize) ? of[imageSize] : undefined;
  if (size === undefined) throw invalidRequest(`no image size ${imageSize}`);
  const { area, by_ratio: ratios, max_edge: maxEdge, multiple_of: step } = size;
  if (ratios === undefined) {
    const areas = { [imageSize]: { pixels: area ?? 0, maxEdge, step } };
    return pixelsOf({ aspectRatio, imageSize }, areas);
  }
  const named = Object.hasOwn(ratios, aspectRatio) ? ratios[aspectRatio] : undefined;
  const [width, height] = named?.split("x").map(Number) ?? [];
  if (width === undefined || height === undefined) {
    throw invalidRequest(`no size for ${imageSize} at ${aspectRatio}`);
  }
  return { width, height };
}
