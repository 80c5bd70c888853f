import { findKeptSizes } from "@atelier/generations/library";
import { findUploadFacts } from "@atelier/generations/uploads";
import {
  AppError,
  isReceivedKey,
  isScaledToEdit,
  maxEditPixels,
  maxPhotographPixels,
  maxScaledPixels,
  uploadIdOf,
  type GenerationPlan,
  type PixelSize,
} from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";

/**
 * Refuses uploads that a worker cannot use: those that an earlier job could not decode, and
 * images to edit with too many pixels.
 *
 * @param plan with resolved references.
 * @returns the pixels that workers will decode: each render decodes each of its uploads once; and the
 *   size of the image to change if it is scaled down.
 * @throws AppError `reference_invalid` with the path of the reference; `image` for one that is too large
 *   to edit, as a worker would find.
 */
export async function checkUploads(
  plan: GenerationPlan,
  { database }: Needs<"database">,
): Promise<{ readonly pixels: number; readonly scaledFrom: PixelSize | null }> {
  const received = plan.renders.flatMap(({ spec }, render) =>
    spec.references.flatMap(({ role, source }) =>
      source.kind === "stored" && isReceivedKey(source.key) ? [{ role, render, ...source }] : [],
    ),
  );
  if (received.length === 0) return { pixels: 0, scaledFrom: null };
  let scaledFrom: PixelSize | null = null;
  const isUpscale = plan.operation === "upscale";
  const checkSource = (key: string, { width, height }: PixelSize) => {
    if (!isScaledToEdit({ width, height })) return;
    const most = /\.jpe?g$/.test(key) ? maxPhotographPixels : maxScaledPixels;
    if (isUpscale || width * height > most) throw tooLarge({ width, height }, isUpscale);
    scaledFrom = { width, height };
  };
  const uses = received.flatMap((use) => {
    const id = uploadIdOf(use.key);
    return id === null ? [] : [{ id, ...use }];
  });
  const facts = new Map(
    (await findUploadFacts(database, [...new Set(uses.map(({ id }) => id))])).map((one) => [
      one.id,
      one,
    ]),
  );
  const decoded = new Map<string, number>();
  for (const { id, key, role, render, path } of uses) {
    const upload = facts.get(id);
    if (upload === undefined) continue;
    if (upload.isUnusable) throw unusable().at(path);
    const pixels = upload.width * upload.height;
    if (role === "source") checkSource(key, upload);
    decoded.set(`${render} ${id}`, pixels);
  }
  // A kept copy of an upload is decoded as the upload is.
  const copies = received.filter(({ key }) => uploadIdOf(key) === null);
  const sizes = await findKeptSizes(
    database,
    copies.map(({ key }) => key),
  );
  for (const { key, role, render } of copies) {
    const size = sizes.get(key);
    if (size === undefined) continue;
    if (role === "source") checkSource(key, size);
    decoded.set(`${render} ${key}`, size.width * size.height);
  }
  return { pixels: [...decoded.values()].reduce((sum, pixels) => sum + pixels, 0), scaledFrom };
}

function unusable(): AppError {
  return new AppError(
    "reference_invalid",
    "An earlier job could not decode this upload: it is damaged or incomplete. Upload the image again.",
    { details: { reason: "undecodable" } },
  );
}

function tooLarge({ width, height }: PixelSize, isUpscale: boolean): AppError {
  const limit = isUpscale
    ? `at most ${maxEditPixels} can be scaled up`
    : `at most ${maxScaledPixels} can be edited, as JPEG ${maxPhotographPixels}`;
  return new AppError(
    "reference_invalid",
    `The image has ${width}x${height} pixels, and ${limit}. Scale it down.`,
    { details: { reason: "too_many_pixels" } },
  ).at("image");
}
