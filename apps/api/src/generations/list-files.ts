import type { FoundGeneration, FoundImage } from "@atelier/generations";
import type { ImageFormat, StoredFormat } from "@atelier/schemas";

/** A stored file of a generation, with its name in an archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly image: FoundImage;
}

/**
 * The files of a generation in one format that still exist, in the order of its renders. The SVG of a
 * vector drawing follows its image.
 */
export function listFiles({ renders }: FoundGeneration, format: ImageFormat): ArchivedFile[] {
  const extension = format === "jpeg" ? "jpg" : format;
  const counts = new Map<string, number>();
  return renders.flatMap(({ role, images }) => {
    const number = (counts.get(role) ?? 0) + 1;
    counts.set(role, number);
    const find = (wanted: StoredFormat) =>
      images.filter((file) => file.format === wanted && !file.deleted);
    return [
      ...find(format).map((image) => ({ name: `${role}-${number}.${extension}`, image })),
      ...find("svg").map((image) => ({ name: `${role}-${number}.svg`, image })),
    ];
  });
}
