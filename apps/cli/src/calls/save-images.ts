import { access, constants, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { Atelier, Generation, Job } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { ImageFormat } from "@atelier/schemas";
import { isFolder } from "./is-folder.ts";
import { NotSavedError } from "./not-saved-error.ts";

export interface SaveOptions {
  /** A file, when it ends like one of an image; otherwise a folder, which is made. */
  readonly output: string;
  /** As the file's name says, or PNG, when left out. */
  readonly format?: ImageFormat | undefined;
  readonly signal: AbortSignal;
}

export interface SavedImage {
  readonly file: string;
  readonly format: ImageFormat;
  readonly sha256: string;
  readonly size_bytes: number;
}

const formatsByExtension: Readonly<Record<string, ImageFormat>> = {
  ".png": "png",
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
  ".webp": "webp",
};

/**
 * Checks where images will go and makes their folder, before anything is paid for.
 *
 * @throws UsageError when a file is named for a story, or with the ending of another format, or of
 *   none that images have; and when nothing can be written there.
 */
export async function prepareOutput(
  kind: Job["kind"],
  options: Pick<SaveOptions, "output" | "format">,
): Promise<void> {
  await checkOutput(kind, options);
  const { output } = options;
  const folder = formatOf(output) === undefined ? output : dirname(output);
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new UsageError(`Nothing can be written to ${folder}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function formatOf(output: string): ImageFormat | undefined {
  return formatsByExtension[extname(output).toLowerCase()];
}

async function checkOutput(
  kind: Job["kind"],
  { output, format }: Pick<SaveOptions, "output" | "format">,
): Promise<void> {
  const extension = extname(output);
  const named = formatOf(output);
  if (named === undefined) {
    if (kind === "story" || extension === "" || (await isFolder(output))) return;
    throw new UsageError(
      `${output} does not end like an image: use .png, .jpg or .webp. A new folder is named with a slash at its end.`,
    );
  }
  if (kind === "story") {
    throw new UsageError(`A story has several images: -o must name a folder, not ${output}.`);
  }
  if (format !== undefined && format !== named) {
    throw new UsageError(`${output} is the name of a ${named}, and --format says ${format}.`);
  }
}

/**
 * Saves the image, or the scenes, of a generation. Each file is there as a whole, with the SHA-256
 * that the service promised, or not at all.
 *
 * @throws NotSavedError when they are there and could not be fetched or written.
 */
export async function saveImages(
  atelier: Atelier,
  generation: Generation,
  options: SaveOptions,
): Promise<SavedImage[]> {
  const { output, signal } = options;
  const named = formatOf(output);
  const format = options.format ?? named ?? "png";
  const extension = format === "jpeg" ? "jpg" : format;
  const sources = generation.scenes?.map(({ formats, scene }) => ({
    formats,
    name: `scene-${scene}`,
  })) ?? [{ formats: generation.formats, name: `atelier-${generation.id}` }];
  const images = sources.map(({ formats, name }) => {
    const variant = formats?.[format];
    if (variant === undefined) {
      throw new Error("The images of this job are not kept any more. Have it made again.");
    }
    const file = named === undefined ? join(output, `${name}.${extension}`) : output;
    return { file, variant };
  });
  try {
    return await Promise.all(
      images.map(async ({ file, variant }) => {
        await saveFile(file, await atelier.images.download(variant, { signal }));
        return { file, format, sha256: variant.hash, size_bytes: variant.size_bytes };
      }),
    );
  } catch (cause) {
    throw new NotSavedError(generation.id, cause);
  }
}

/** Writes a file beside its place first, so that no half of it is ever found there. */
export async function saveFile(
  file: string,
  bytes: Uint8Array,
  { mode = 0o644 }: { readonly mode?: number } = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const beside = `${file}.part`;
  await writeFile(beside, bytes, { mode });
  await rename(beside, file);
}
