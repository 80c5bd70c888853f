import { AppError, type ErrorCode, type RequestProblem } from "@atelier/schemas";
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

/** What a model lacks of what a request asks of it. */
interface Lack extends RequestProblem {
  readonly code: ErrorCode;
  readonly supported?: readonly string[];
  readonly max?: number;
}

/**
 * Finds the model of a request and fills in its defaults.
 *
 * @throws AppError `model_not_found`; `unsupported_aspect_ratio`, `unsupported_image_size` or
 *   `references_not_supported` by the first thing that the model lacks, with all that it lacks, and
 *   what it does support, in `details`.
 */
export function resolveModel(catalogue: Catalogue, request: ModelRequest): ResolvedModel {
  const entry = catalogue.find(request.model);
  const aspectRatio = request.aspectRatio ?? entry.default_aspect_ratio;
  const imageSize = request.imageSize ?? entry.default_image_size;
  const lacks = lacksOf(entry, aspectRatio, imageSize, request.referenceImages);
  const [first] = lacks;
  if (first !== undefined) throw new AppError(first.code, first.message, { details: lacks });
  return { entry, aspectRatio, imageSize };
}

function lacksOf(
  entry: CatalogueEntry,
  aspectRatio: string,
  imageSize: string,
  referenceImages: number,
): Lack[] {
  const imageSizes = Object.keys(entry.prices_eur);
  const max = entry.max_reference_images;
  const lacks: Lack[] = [];
  if (!entry.aspect_ratios.includes(aspectRatio)) {
    lacks.push({
      path: "aspect_ratio",
      code: "unsupported_aspect_ratio",
      message: `${entry.id} has no aspect ratio ${aspectRatio}. Use one of ${entry.aspect_ratios.join(", ")}.`,
      supported: entry.aspect_ratios,
    });
  }
  if (!imageSizes.includes(imageSize)) {
    lacks.push({
      path: "image_size",
      code: "unsupported_image_size",
      message: `${entry.id} has no image size ${imageSize}. Use one of ${imageSizes.join(", ")}.`,
      supported: imageSizes,
    });
  }
  if (referenceImages > max) {
    lacks.push({
      path: "reference_images",
      code: "references_not_supported",
      message:
        max === 0
          ? `${entry.id} does not look at reference images. Leave reference_images out, or use a model whose supports_references is true.`
          : `${entry.id} looks at no more than ${max} reference images.`,
      max,
    });
  }
  return lacks;
}
