import { assertCapable, resolveExactSize, type Catalogue } from "@atelier/models";
import {
  AppError,
  isTool,
  type GenerationPlan,
  type Operation,
  type PixelSize,
} from "@atelier/schemas";

/** The part of a valid body that its exact size depends on. */
interface SizedBody {
  readonly model: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly mask?: object | undefined;
}

/** A body whose exact size is replaced by what it is planned and charged as. */
interface Sized<Body> {
  readonly body: Body;
  readonly pixels: PixelSize;
}

/**
 * Resolves the exact size of a request.
 *
 * @returns null for a request without one.
 * @throws AppError `unsupported_image_size` when the model does not make it, and for an edit with a mask,
 *   which keeps the size of its image.
 */
export function readExactSize<Body extends SizedBody>(
  operation: Operation,
  body: Body,
  catalogue: Catalogue,
): Sized<Body> | null {
  const { width, height, ...rest } = body;
  // A tool has rules of its own for its size.
  if (width === undefined || height === undefined || isTool(operation)) return null;
  const entry = catalogue.find(body.model);
  assertCapable(catalogue, entry, { operation });
  if (body.mask !== undefined) {
    throw new AppError(
      "unsupported_image_size",
      "With a mask, the result keeps the size of the image. Omit width and height, or the mask.",
      { details: { nearest: [] } },
    ).at("width");
  }
  const pixels = { width, height };
  const size = resolveExactSize(entry, pixels, catalogue.pixelsOf(entry.id));
  const planned = { ...rest, aspect_ratio: size.aspectRatio, image_size: size.imageSize };
  return { body: planned as unknown as Body, pixels };
}

/** Makes the images of a plan in an exact size, which its request then has instead of the planned one. */
export function withPixels(plan: GenerationPlan, pixels: PixelSize): GenerationPlan {
  const { aspect_ratio: _ratio, image_size: _size, ...request } = plan.request as SizedRequest;
  return {
    ...plan,
    request: { ...request, ...pixels },
    renders: plan.renders.map((render) => ({ ...render, spec: { ...render.spec, pixels } })),
  };
}

interface SizedRequest {
  readonly aspect_ratio?: string;
  readonly image_size?: string;
}
