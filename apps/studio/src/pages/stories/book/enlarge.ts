import type { Operation } from "@atelier/schemas";
import { againMetadata } from "../queries.ts";
import type { StoryImage } from "../story-cards.ts";
import type { StoryBody } from "../story-request.ts";
import { sceneToQuote } from "../use-total.ts";
import { ppi, type Pixels } from "./page-layout.ts";

/** Names of image sizes, by the edge of a square of as many pixels in units of 1,024. */
export const largerSizes = { "2K": 2, "4K": 4 } as const;
export type LargerSize = keyof typeof largerSizes;

/** The longest factor of an upscale. */
const maxFactor = 4;

/** A picture of a book, as it is printed. */
export interface PrintedPicture {
  readonly scene: number;
  readonly image: StoryImage;
  readonly pixels: Pixels;
  /** The lowest resolution of the pages that show it, in pixels per inch. */
  readonly ppi: number;
}

/**
 * Each picture of the pages and of the cover once, if it is still kept.
 *
 * @param resolutions by the numbers of the scenes.
 */
export function printedPictures(
  images: readonly StoryImage[],
  resolutions: ReadonlyMap<number, number>,
): readonly PrintedPicture[] {
  return images.flatMap((image) => {
    const { scene, formats } = image;
    const resolution = resolutions.get(scene ?? 0);
    if (scene === undefined || formats.jpeg === undefined || resolution === undefined) return [];
    return [{ scene, image, pixels: formats.jpeg, ppi: resolution }];
  });
}

/** The lowest and the highest resolution of pictures; null without any. */
export function ppiRange(
  pictures: readonly PrintedPicture[],
): { readonly lowest: number; readonly highest: number } | null {
  if (pictures.length === 0) return null;
  const all = pictures.map((picture) => Math.floor(picture.ppi));
  return { lowest: Math.min(...all), highest: Math.max(...all) };
}

/** How many times longer the edges of a picture are in a size; 1 or less if it is not larger. */
function factorOf({ width, height }: Pixels, size: LargerSize): number {
  const own = Math.sqrt(width * height) / 1_024;
  return Math.min(2 ** Math.round(Math.log2(largerSizes[size] / own)), maxFactor);
}

/** The pictures with less than the best resolution that are smaller than a size, with the factor to reach it. */
function smallPictures(pictures: readonly PrintedPicture[], size: LargerSize) {
  return pictures
    .map((picture) => ({ ...picture, factor: factorOf(picture.pixels, size) }))
    .filter((picture) => picture.ppi < ppi.best && picture.factor >= 2);
}

/** A larger picture of a scene: one to order, or one that was made before. */
export interface Larger {
  readonly scene: number;
  readonly operation: Operation;
  /** Null for a picture that exists. */
  readonly body: StoryBody | null;
  /** The request for a quote, which is equal for pictures of the same size. */
  readonly quoted: StoryBody;
  /** The job of a picture that exists. */
  readonly jobId: string | null;
  /** The resolution in print afterwards. */
  readonly ppi: number;
}

/**
 * The pictures with less than the best resolution, scaled up to a size if they are smaller.
 *
 * @param versions all versions of the scenes.
 */
export function planUpscales(
  storyId: string,
  model: string,
  size: LargerSize,
  pictures: readonly PrintedPicture[],
  versions: readonly StoryImage[],
): readonly Larger[] {
  const sources = new Map<string, object>();
  return smallPictures(pictures, size).map(({ scene, image, pixels, ppi: now, factor }): Larger => {
    const source = sourceOf(image, storyId);
    const shape = `${pixels.width}x${pixels.height}`;
    if (!sources.has(shape)) sources.set(shape, source);
    // A page that was closed before may have left a picture that the story does not show.
    const ready = versions.find(
      (one) =>
        one.scene === scene && one.enlarges === image.jobId && isAsLarge(one, pixels, factor),
    );
    return {
      scene,
      operation: "upscale",
      body:
        ready === undefined
          ? {
              model,
              image: source,
              factor,
              metadata: {
                [againMetadata.story]: storyId,
                [againMetadata.scene]: String(scene),
                [againMetadata.enlarges]: image.jobId,
              },
            }
          : null,
      quoted: { model, image: sources.get(shape), factor },
      jobId: ready?.jobId ?? null,
      ppi: now * factor,
    };
  });
}

/**
 * The pictures with less than the best resolution, drawn again in a size if they are smaller.
 *
 * @param versions all versions of the scenes.
 */
export function planDrawings(
  size: LargerSize,
  pictures: readonly PrintedPicture[],
  versions: readonly StoryImage[],
  bodyOf: (image: StoryImage) => StoryBody,
): readonly Larger[] {
  return smallPictures(pictures, size).map(({ scene, image, pixels, ppi: now, factor }): Larger => {
    const request = { ...bodyOf(image), image_size: size };
    // As for upscales: drawn before, but not shown.
    const ready = versions.find(
      (one) =>
        one.scene === scene &&
        one.version > image.version &&
        one.enlarges === undefined &&
        listedText(one) === listedText(image) &&
        isAsLarge(one, pixels, factor),
    );
    return {
      scene,
      operation: "scene",
      body: ready === undefined ? request : null,
      quoted: sceneToQuote(request),
      jobId: ready?.jobId ?? null,
      ppi: now * factor,
    };
  });
}

/** The part of a text that lists of jobs have. */
const listedText = ({ text }: StoryImage) => text.slice(0, 200);

/** Whether the picture of a version is as large as another one that is made larger. */
function isAsLarge({ formats }: StoryImage, { width }: Pixels, factor: number): boolean {
  return (formats.jpeg?.width ?? 0) >= Math.round(width * factor);
}

/** The image of a version of a scene, as a request names it. */
function sourceOf({ jobId, scene = 1 }: StoryImage, storyId: string): object {
  return jobId === storyId ? { job_id: jobId, image: scene - 1 } : { job_id: jobId };
}
