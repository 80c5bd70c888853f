import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createAtelier,
  InsufficientCreditError,
  type Atelier,
  type Generation,
} from "@atelier/client";
import type { DemoAccount } from "@atelier/configuration";
import { verifyProvenance } from "@atelier/provenance/images";
import { imageFormat, type ImageFormat } from "@atelier/schemas";
import { describeError } from "./describe-error.ts";
import type { Progress } from "./progress.ts";

const timeoutMs = 120_000;

export const firstRequest = {
  model: "builtin-illustrator",
  prompt: "A lighthouse on a cliff above the sea at sunset, two sailing boats and seagulls",
  aspect_ratio: "16:9",
} as const;

interface FirstImageOptions {
  readonly home: string;
  readonly demo: DemoAccount;
  /** Root certificates for verifying the manifests, in PEM. */
  readonly trustAnchorsPem: string;
  readonly step: Progress["step"];
  readonly interrupted: AbortSignal;
}

export interface FirstImage {
  readonly response: Generation;
  readonly files: readonly SavedFile[];
}

interface SavedFile {
  readonly format: ImageFormat;
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Generates one image as a client would, saves its three files in `$ATELIER_HOME/images`, and
 * verifies their hashes and manifests.
 *
 * @throws AtelierError when the API refuses the request or the job fails; Error when a file or
 *   its manifest is not valid.
 */
export async function makeFirstImage(options: FirstImageOptions): Promise<FirstImage> {
  const { home, demo, trustAnchorsPem, step } = options;
  const signal = AbortSignal.any([options.interrupted, AbortSignal.timeout(timeoutMs)]);
  const atelier = createAtelier({ baseUrl: demo.base_url, apiKey: demo.api_key });
  const response = await step(
    "Making an image",
    (update) =>
      atelier.generateImage(firstRequest, {
        signal,
        onProgress: ({ status }) => update(`Making an image: ${status}`),
      }),
    ({ cost_eur, balance_eur }) => `Image made for ${cost_eur} EUR, ${balance_eur} EUR left`,
  );
  const files = await step(
    "Fetching it",
    () => save(atelier, response, join(home, "images"), signal),
    () => "PNG, JPEG and WebP saved, each with the SHA-256 of the answer",
  );
  await step(
    "Verifying its C2PA manifests",
    () => verify(files, trustAnchorsPem),
    () => "C2PA manifests verified in all three",
  );
  return { response, files };
}

/** Whether a home has its first image: later starts make, and charge, no other. */
export async function hasFirstImage(home: string): Promise<boolean> {
  const formats = await Promise.all(
    imageFormat.options.map((format) => isThere(pathOf(join(home, "images"), format))),
  );
  return formats.every(Boolean);
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    },
  );
}

function pathOf(directory: string, format: ImageFormat): string {
  return join(directory, `first-image.${format}`);
}

/** Explains to the user why there is no image, and what to do. */
export function explainFailure(error: unknown, demo: DemoAccount): string {
  if (error instanceof InsufficientCreditError) {
    return (
      "No image this time: the demo account has no credit left. " +
      `Top it up with: npm run atelier -- accounts top-up ${demo.account_id} 10`
    );
  }
  return `No image this time: ${describeError(error)}`;
}

/** Downloads every format from its signed URL. */
async function save(
  atelier: Atelier,
  image: Generation,
  directory: string,
  signal: AbortSignal,
): Promise<SavedFile[]> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return Promise.all(
    imageFormat.options.map(async (format) => {
      const variant = image.formats?.[format];
      if (variant === undefined) throw new Error(`The answer has no ${format}.`);
      const bytes = await atelier.images.download(variant, { signal });
      const path = pathOf(directory, format);
      await writeFile(path, bytes, { mode: 0o600 });
      return { format, path, sha256: variant.hash, sizeBytes: bytes.length };
    }),
  );
}

async function verify(files: readonly SavedFile[], trustAnchorsPem: string): Promise<void> {
  for (const { path } of files) {
    const { state, problems } = await verifyProvenance(await readFile(path), { trustAnchorsPem });
    if (state !== "trusted") {
      throw new Error(`The C2PA manifest of ${path} is ${[state, ...problems].join(", ")}.`);
    }
  }
}
