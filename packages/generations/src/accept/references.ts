import type { Sql } from "@atelier/database";
import { AppError, type GenerationPlan, isKeptKey, renderIdOf, uploadIdOf } from "@atelier/schemas";

/** @throws AppError `reference_unreachable` for the first reference past its retention. */
export async function assertReferencesKept(sql: Sql, plan: GenerationPlan): Promise<void> {
  const uploads = uploadsOf(plan);
  if (uploads.length > 0) {
    const usable = await sql.query<{ id: string }>(
      "SELECT id FROM upload WHERE id = ANY ($1) AND deleted_at IS NULL AND expires_at > now()",
      [uploads.map(({ id }) => id)],
    );
    const expired = uploads.find((upload) => !usable.some(({ id }) => id === upload.id));
    if (expired !== undefined) throw referenceGone().at(expired.path);
  }
  const kept = keptReferences(plan);
  if (kept.length > 0) {
    const usable = await sql.query<{ key: string }>(
      `SELECT storage_key AS key FROM kept_file WHERE storage_key = ANY ($1) AND deleted_at IS NULL
       UNION SELECT source_key FROM kept_file WHERE source_key = ANY ($1) AND deleted_at IS NULL`,
      [kept.map(({ key }) => key)],
    );
    const released = kept.find((reference) => !usable.some(({ key }) => key === reference.key));
    if (released !== undefined) throw referenceGone().at(released.path);
  }
  const references = storedReferences(plan);
  if (references.length === 0) return;
  const deleted = await sql.query<{ key: string }>(
    `SELECT storage_key AS key FROM image
      WHERE render_id = ANY ($1::uuid[]) AND storage_key = ANY ($2::text[]) AND deleted_at IS NOT NULL`,
    [references.map(({ key }) => renderIdOf(key)), references.map(({ key }) => key)],
  );
  const deletedReference = references.find(({ key }) => deleted.some((image) => image.key === key));
  if (deletedReference !== undefined) throw referenceGone().at(deletedReference.path);
}

/** A lower-case UUID, as in storage keys. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Stored files that a plan's renders use as references. */
function storedSources(plan: GenerationPlan) {
  return plan.renders
    .flatMap(({ spec }) => spec.references.map(({ source }) => source))
    .filter((source) => source.kind === "stored");
}

/** Images of earlier jobs that a plan's renders use as references. */
export function storedReferences(plan: GenerationPlan) {
  return storedSources(plan).filter(
    ({ key }) => uploadIdOf(key) === null && !isKeptKey(key) && uuid.test(renderIdOf(key)),
  );
}

/** Kept files that a plan's renders use, each once. */
export function keptReferences(
  plan: GenerationPlan,
): { readonly key: string; readonly path: string }[] {
  const kept = storedSources(plan).filter(({ key }) => isKeptKey(key));
  return [...new Map(kept.map((source) => [source.key, source])).values()];
}

/** Uploads that a plan's renders use, each once. */
export function uploadsOf(plan: GenerationPlan): { readonly id: string; readonly path: string }[] {
  const uploads = new Map<string, string>();
  for (const { source } of plan.renders.flatMap(({ spec }) => spec.references)) {
    const id = source.kind === "stored" ? uploadIdOf(source.key) : null;
    if (source.kind === "stored" && id !== null) uploads.set(id, source.path);
  }
  return [...uploads].map(([id, path]) => ({ id, path }));
}

/** The error for a reference to an image past its retention. */
export function referenceGone(): AppError {
  return new AppError(
    "reference_unreachable",
    "This image has expired. Use another image, or generate it again.",
    { details: { reason: "gone" } },
  );
}
