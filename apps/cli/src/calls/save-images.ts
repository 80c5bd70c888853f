import { createHash } from "node:crypto";
import { access, constants, mkdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { Atelier, Generation, Job } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { DeliveredFormat } from "@atelier/schemas";
import { isFolder } from "./is-folder.ts";
import { NotSavedError } from "./not-saved-error.ts";
import { assertNoOtherStory } from "./story-folder.ts";

interface SaveOptions {
  /** A file if it has an image extension; otherwise a folder, which is created. */
  readonly output: string;
  /** Default: the file extension, or PNG. */
  readonly format?: DeliveredFormat | undefined;
  readonly signal: AbortSignal;
}

export interface SavedImage {
  readonly file: string;
  readonly format: DeliveredFormat;
  readonly sha256: string;
  readonly size_bytes: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

const formatsByExtension: Readonly<Record<string, DeliveredFormat>> = {
  ".png": "png",
  ".svg": "svg",
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
  ".webp": "webp",
};

/** Free space that the images of a job may need, in bytes. */
const spaceNeeded: Readonly<Record<Job["kind"], number>> = {
  image: 10_000_000,
  story: 50_000_000,
};

/**
 * Checks the output path and creates its folder, before anything is charged.
 *
 * @throws UsageError for a file as output of a story, an unknown or contradicting extension, a folder
 *   that is not writable, or a full disk.
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
    assertSpace(await statfs(folder), spaceNeeded[kind]);
  } catch (cause) {
    throw new UsageError(`Cannot write to ${folder}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/**
 * @param disk the file system, in blocks; one that reports no blocks is assumed to have space.
 * @throws Error if less space is free than the images may need.
 */
export function assertSpace(
  disk: { readonly blocks: number; readonly bavail: number; readonly bsize: number },
  neededBytes: number,
): void {
  const freeBytes = disk.bavail * disk.bsize;
  if (disk.blocks === 0 || freeBytes >= neededBytes) return;
  const [free, needed] = [freeBytes, neededBytes].map((bytes) => Math.floor(bytes / 1_000_000));
  throw new Error(`the disk has ${free} MB free, but ${needed} MB may be needed`);
}

function formatOf(output: string): DeliveredFormat | undefined {
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
      `${output} has no image extension: use .png, .jpg or .webp. End a new folder with a slash.`,
    );
  }
  if (await isFolder(output)) {
    throw new UsageError(`${output} is a folder. End it with a slash to save the image in it.`);
  }
  if (kind === "story") {
    throw new UsageError(`A story has several images: -o must be a folder, not ${output}.`);
  }
  if (format !== undefined && format !== named) {
    throw new UsageError(
      `${output} has the extension of ${named}, but --format is ${format}. Remove one of them.`,
    );
  }
}

/**
 * Saves the image or the scenes of a generation. Each file is written atomically after its SHA-256 was
 * verified.
 *
 * @throws NotSavedError if a file cannot be downloaded or written.
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
  if (generation.scenes?.length === 0) return saveCast(atelier, generation, options);
  const sources = listSources(generation);
  if (named !== undefined && sources.length > 1) {
    throw new UsageError(
      `The job has ${sources.length} images: -o must be a folder, not ${output}.`,
    );
  }
  const images = sources.map(({ formats, name }) => {
    const variant = formats?.[format];
    if (variant === undefined && formats?.png !== undefined) {
      throw new UsageError(
        `The job has no ${format}. Save another format with: atelier jobs wait ${generation.id} -o .`,
      );
    }
    if (variant === undefined) {
      throw new Error("The images of this job have been deleted. Generate them again.");
    }
    const file = named === undefined ? join(output, `${name}.${extension}`) : output;
    return { file, variant };
  });
  try {
    if (generation.scenes !== undefined) await assertNoOtherStory(output, generation);
    return await Promise.all(
      images.map(async ({ file, variant }) => {
        const { hash, size_bytes, width, height } = variant;
        await saveFile(file, await atelier.images.download(variant, { signal }));
        return { file, format, sha256: hash, size_bytes, width, height };
      }),
    );
  } catch (cause) {
    throw new NotSavedError(generation.id, cause);
  }
}

/** Saves the portraits and locations of a story without scenes, which are PNGs. */
async function saveCast(
  atelier: Atelier,
  { id, characters = [], locations = [] }: Generation,
  { output, signal }: SaveOptions,
): Promise<SavedImage[]> {
  const named = [
    ...characters.map((one, index) => ({ ...one, file: `portrait-${index + 1}.png` })),
    ...locations.map((one, index) => ({ ...one, file: `location-${index + 1}.png` })),
  ];
  try {
    return await Promise.all(
      named.map(async ({ file, reference_url: url, width = 0, height = 0 }) => {
        if (url === undefined) {
          throw new Error("The images of this job have been deleted. Generate them again.");
        }
        const bytes = await atelier.images.download({ url }, { signal });
        const path = join(output, file);
        await saveFile(path, bytes);
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        return {
          file: path,
          format: "png" as const,
          sha256,
          size_bytes: bytes.length,
          width,
          height,
        };
      }),
    );
  } catch (cause) {
    throw new NotSavedError(id, cause);
  }
}

/** The images of a generation with the names of their files. */
function listSources({ id, scenes, images, formats }: Generation) {
  const named = [
    ...(scenes ?? []).map((scene) => ({ formats: scene.formats, name: `scene-${scene.scene}` })),
    ...(images ?? []).map((image) => ({
      formats: image.formats,
      name: `atelier-${id}-${image.index + 1}`,
    })),
  ];
  return named.length > 0 ? named : [{ formats, name: `atelier-${id}` }];
}

/** Writes a file atomically: to a temporary file that is then renamed. */
export async function saveFile(
  file: string,
  bytes: Uint8Array,
  { mode = 0o644 }: { readonly mode?: number } = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const partFile = `${file}.part`;
  try {
    await writeFile(partFile, bytes, { mode });
    await rename(partFile, file);
  } catch (error) {
    await rm(partFile, { force: true }).catch(() => undefined);
    throw error;
  }
}
