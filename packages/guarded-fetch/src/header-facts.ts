import type { ReceivedMediaType } from "@atelier/kit";
import { GuardedRequestError } from "./errors.ts";

/** The content of an image's header, read without a decoder. */
export interface ImageHeader {
  readonly mediaType: ReceivedMediaType;
  /** In pixels, as shown: after the orientation in the file. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** Bytes of colour profiles, as stored. */
  readonly profileBytes: number;
  /** Bytes of comments, EXIF and XMP, as stored. */
  readonly textBytes: number;
  /** Pixels of the largest part that is decoded by itself, such as a tile; 0 for a file without parts. */
  readonly partPixels: number;
}

/** Maximum number of parts of a file: more than an encoder writes, and fast to scan. */
const maxParts = 10_000;

/** The header of a file, with its first EXIF data; the size is as stored. */
export type Facts = Omit<ImageHeader, "mediaType"> & { readonly exif: Buffer | null };
export type MutableFacts = { -readonly [Name in keyof Facts]: Facts[Name] };

export const noFacts: Facts = {
  width: 0,
  height: 0,
  isAnimated: false,
  profileBytes: 0,
  textBytes: 0,
  partPixels: 0,
  exif: null,
};

/** @throws GuardedRequestError `too_much_metadata` at the part after the last that a file may have. */
export function assertFewParts(part: number): void {
  if (part >= maxParts) throw new GuardedRequestError("too_much_metadata", "too many parts");
}
