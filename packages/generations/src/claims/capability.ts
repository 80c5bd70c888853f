import type { Sql } from "@atelier/database";

/**
 * The capability of workers of this version. A version that makes new kinds of images, or existing ones in
 * another way, increments it, and stores it as `needs` of the renders that older workers would make
 * wrongly. Older workers leave those to newer ones.
 */
export const capability = 9;

/** `needs` of edits of built-in models in the pixels of their image size: older workers kept the image's. */
export const sizedEdits = 1;

/** `needs` of images with an exact size, chosen files or options of the engine: older workers ignored them. */
export const imageOptions = 2;

/** `needs` of edits with markup: older workers ignored it, or sent it as a reference. */
export const markupEdits = 3;

/** `needs` of test jobs: older workers have no lane for them. */
export const testRenders = 4;

/** `needs` of tools such as scaling: older workers do not know them. */
export const tools = 5;

/** `needs` of images with steps after them: older workers ignored these. */
export const afterSteps = 6;

/** `needs` of images that check references which no image uses: older workers sent these to the model. */
export const uncheckedReferences = 7;

/** `needs` of changes of images that are scaled down first: older workers refused these. */
export const scaledImages = 8;

/** `needs` of images with an AVIF that a client sent: decoders of older workers do not read it. */
export const avifImages = 9;

/** Whether only a newer version can make the image of a render. */
export async function needsNewerWorker(
  sql: Sql,
  renderId: string,
  ownCapability = capability,
): Promise<boolean> {
  const beyond = await sql.query(
    "SELECT FROM render WHERE id = $1 AND needs > $2 AND finished_at IS NULL",
    [renderId, ownCapability],
  );
  return beyond.length > 0;
}
