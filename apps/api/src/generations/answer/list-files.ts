import type { FoundGeneration, FoundImage, FoundRender } from "@atelier/generations/jobs";
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
export function listFiles(generation: FoundGeneration, format: ImageFormat): ArchivedFile[] {
  return listBy(generation, (render, name) => filesOf(render, name, format));
}

/** The same files, with the PNG of an image that was not made in the format. */
export function listFilesOrPng(generation: FoundGeneration, format: ImageFormat): ArchivedFile[] {
  return listBy(generation, (render, name) => {
    const isMade = render.images.some((file) => file.format === format && !file.deleted);
    return filesOf(render, name, isMade ? format : "png");
  });
}

function listBy(
  { renders }: FoundGeneration,
  list: (render: FoundRender, name: string) => ArchivedFile[],
): ArchivedFile[] {
  const counts = new Map<string, number>();
  return renders.flatMap((render) => {
    const number = (counts.get(render.role) ?? 0) + 1;
    counts.set(render.role, number);
    return list(render, `${render.role}-${number}`);
  });
}

/** The files of a render in one format, and its SVG, under a name. */
export function filesOf(
  { images }: Pick<FoundRender, "images">,
  name: string,
  format: ImageFormat,
): ArchivedFile[] {
  const extension = format === "jpeg" ? "jpg" : format;
  const find = (wanted: StoredFormat) =>
    images.filter((file) => file.format === wanted && !file.deleted);
  return [
    ...find(format).map((image) => ({ name: `${name}.${extension}`, image })),
    ...find("svg").map((image) => ({ name: `${name}.svg`, image })),
  ];
}
