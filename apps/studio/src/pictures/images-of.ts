import type {
  DeliveredFormat,
  FormatVariant,
  GenerationResponse,
  MarkLayer,
} from "@atelier/schemas";

/** One image of a result. */
export interface ResultImage {
  /** Position in the result, from 0. */
  readonly index: number;
  readonly seed: number | undefined;
  /** SHA-256 of the PNG. */
  readonly hash: string;
  readonly layers: readonly MarkLayer[];
  readonly thumbnailUrl: string | undefined;
  /** The picture to show; undefined after the files were deleted. */
  readonly url: string | undefined;
  /** Empty after the files were deleted. */
  readonly formats: Partial<Record<DeliveredFormat, FormatVariant>>;
}

/** The images of a result, which lists them only if there are several; of a story, its scenes. */
export function imagesOf(result: GenerationResponse): readonly ResultImage[] {
  if (result.scenes !== undefined) {
    return result.scenes.map((scene, index) => ({
      index,
      seed: undefined,
      hash: scene.image_hash,
      layers: scene.layers,
      thumbnailUrl: scene.thumbnail_url,
      url: urlOf(scene.formats),
      formats: scene.formats ?? {},
    }));
  }
  if (result.images !== undefined) {
    return result.images.map((image) => ({
      index: image.index,
      seed: image.seed,
      hash: image.image_hash,
      layers: image.layers,
      thumbnailUrl: image.thumbnail_url,
      url: urlOf(image.formats),
      formats: image.formats ?? {},
    }));
  }
  return [
    {
      index: 0,
      seed: result.seed,
      hash: result.image_hash ?? "",
      layers: result.layers ?? [],
      thumbnailUrl: result.thumbnail_url,
      url: urlOf(result.formats),
      formats: result.formats ?? {},
    },
  ];
}

/** The portraits and places that a story drew. A job of one image has no small pictures of them. */
export function drawnPictures({
  characters = [],
  locations = [],
}: GenerationResponse): readonly string[] {
  return [...characters, ...locations].flatMap(({ reference_url: url, expires_at: until }) =>
    url === undefined || until == null ? [] : [url],
  );
}

/** The picture of an image: its WebP, or its PNG, which is larger and always made. */
function urlOf(formats: ResultImage["formats"] = {}): string | undefined {
  return (formats.webp ?? formats.png)?.url;
}
