import { AppError, type ErrorCode } from "@atelier/schemas";
import type { Catalogue } from "./catalogue.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";

/** What a request asks of a model. */
export interface ModelRequest {
  readonly model: string;
  readonly aspectRatio: string | undefined;
  readonly imageSize: string | undefined;
  readonly referenceImages: number;
}

export interface ResolvedModel {
  readonly entry: CatalogueEntry;
  readonly aspectRatio: string;
  readonly imageSize: string;
}

/**
 * Finds the model of a request and fills in its defaults.
 *
 * @throws AppError `model_not_found`, `unsupported_aspect_ratio`, `unsupported_image_size` or
 *   `references_not_supported`, with what the model does support.
 */
export function resolveModel(catalogue: Catalogue, request: ModelRequest): ResolvedModel {
  const entry = catalogue.find(request.model);
  const imageSizes = Object.keys(entry.prices_eur);
  const aspectRatio = request.aspectRatio ?? entry.default_aspect_ratio;
  const imageSize = request.imageSize ?? entry.default_image_size;
  if (!entry.aspect_ratios.includes(aspectRatio)) {
    throw refusal(
      "unsupported_aspect_ratio",
      `${entry.id} has no aspect ratio ${aspectRatio}. Use one of ${entry.aspect_ratios.join(", ")}.`,
      { path: "aspect_ratio", supported: entry.aspect_ratios },
    );
  }
  if (!imageSizes.includes(imageSize)) {
    throw refusal(
      "unsupported_image_size",
      `${entry.id} has no image size ${imageSize}. Use one of ${imageSizes.join(", ")}.`,
      { path: "image_size", supported: imageSizes },
    );
  }
  if (request.referenceImages > entry.max_reference_images) {
    throw refusal(
      "references_not_supported",
      entry.max_reference_images === 0
        ? `${entry.id} does not look at reference images. Leave reference_images out, or use a model whose supports_references is true.`
        : `${entry.id} looks at no more than ${entry.max_reference_images} reference images.`,
      { path: "reference_images", max: entry.max_reference_images },
    );
  }
  return { entry, aspectRatio, imageSize };
}

/** Told as a list, as everywhere where several things may be wrong with a request. */
function refusal(
  code: ErrorCode,
  message: string,
  problem: { readonly path: string; readonly supported?: readonly string[]; readonly max?: number },
): AppError {
  return new AppError(code, message, { details: [{ ...problem, code, message }] });
}
