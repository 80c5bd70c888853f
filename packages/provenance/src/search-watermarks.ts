import {
  compareLook,
  createWatermarkKey,
  judgeAgreement,
  searchWatermarks,
  type Look,
  type LookJudgement,
  type Placement,
  type SearchableImage,
} from "@atelier/watermark";
import type { FoundMark } from "./identify-image.ts";

/** A watermark, and where it lies in the searched image. */
export interface PlacedMark {
  readonly id: string;
  readonly placement: Placement;
}

/** An image with a watermark, and the look of the image that the watermark names. */
export interface LookQuestion {
  readonly searched: SearchableImage;
  readonly placement: Placement;
  readonly look: Look;
}

export function judgeLook({ searched, placement, look }: LookQuestion): LookJudgement {
  return judgeAgreement(compareLook(searched, placement, look));
}

/**
 * Creates a search for the watermarks of an installation, which returns the most certain first.
 *
 * @param secrets the current one first.
 */
export function createSearch(secrets: readonly string[]): (image: SearchableImage) => PlacedMark[] {
  const keys = secrets.map((secret) => createWatermarkKey(Buffer.from(secret)));
  return (image) => searchWatermarks(image, keys).map(({ id, placement }) => ({ id, placement }));
}

/**
 * Creates a reader of the watermarks of an installation, which returns the most certain first; null
 * without secrets.
 *
 * @param secrets the current one first.
 */
export function createMarkReader(
  secrets: readonly string[],
): (searched: SearchableImage | null) => FoundMark[] | null {
  const search = createSearch(secrets);
  return (searched) => {
    if (secrets.length === 0) return null;
    if (searched === null) return [];
    return search(searched).map(({ id, placement }) => ({
      id,
      judge: (look) => judgeLook({ searched, placement, look }),
    }));
  };
}
