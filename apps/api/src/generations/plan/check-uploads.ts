import { findKeptSizes, findUploadFacts } from "@atelier/generations";
import { maxEditPixels } from "@atelier/models";
import { AppError, isReceivedKey, uploadIdOf, type GenerationPlan } from "@atelier/schemas";
import type { ApiDependencies } from "../../dependencies.ts";

/**
 * Refuses uploads that a worker cannot use: those that an earlier job could not decode, and
 * images to edit with too many pixels.
 *
 * @param plan with resolved references.
 * @returns the pixels that workers will decode: each render decodes each of its uploads once.
 * @throws AppError `reference_invalid` with the path of the reference; `image` for one that is too large
 *   to edit, as a worker would find.
 */
export async function checkUploads(
  plan: GenerationPlan,
  { database }: Pick<ApiDependencies, "database">,
): Promise<number> {
  const received = plan.renders.flatMap(({ spec }, render) =>
    spec.references.flatMap(({ role, source }) =>
      source.kind === "stored" && isReceivedKey(source.key) ? [{ role, render, ...source }] : [],
    ),
  );
  if (received.length === 0) return 0;
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
  for (const { id, role, render, path } of uses) {
    const upload = facts.get(id);
    if (upload === undefined) continue;
    if (upload.isUnusable) throw unusable().at(path);
    const pixels = upload.width * upload.height;
    if (role === "source" && pixels > maxEditPixels) throw tooLarge(upload).at("image");
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
    if (role === "source" && size.width * size.height > maxEditPixels) {
      throw tooLarge(size).at("image");
    }
    decoded.set(`${render} ${key}`, size.width * size.height);
  }
  return [...decoded.values()].reduce((sum, pixels) => sum + pixels, 0);
}

function unusable(): AppError {
  return new AppError(
    "reference_invalid",
    "An earlier job could not decode this upload: it is damaged or incomplete. Upload the image again.",
    { details: { reason: "undecodable" } },
  );
}

function tooLarge({ width, height }: { readonly width: number; readonly height: number }) {
  return new AppError(
    "reference_invalid",
    `The image has ${width}x${height} pixels, and at most ${maxEditPixels} can be edited. Scale it down.`,
    { details: { reason: "too_many_pixels" } },
  );
}
