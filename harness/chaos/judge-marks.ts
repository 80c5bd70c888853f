import type { AuditedStorage } from "@atelier/audit";
import type { Sql } from "@atelier/database";
import { verifyProvenance } from "@atelier/provenance/images";

/** Number of files whose signature is verified, drawn at random, and of SVG files besides. */
const sampleSize = 60;

/**
 * Verifies the signed manifests of a sample of all kept files, in every format.
 *
 * @param trustAnchorsPem of the service's signing certificate.
 * @returns the number of verified files, and one line for each violation.
 */
export async function judgeMarks(
  sql: Sql,
  storage: AuditedStorage,
  trustAnchorsPem: string,
): Promise<{ readonly verified: number; readonly wrong: readonly string[] }> {
  const files = await sql.query<{ key: string }>(
    `(SELECT storage_key AS key FROM image WHERE deleted_at IS NULL AND format <> 'svg'
       ORDER BY random() LIMIT ${sampleSize})
     UNION ALL
     (SELECT storage_key FROM image WHERE deleted_at IS NULL AND format = 'svg'
       ORDER BY random() LIMIT ${sampleSize})`,
  );
  const wrong: string[] = [];
  for (const { key } of files) {
    const file = await storage.get(key);
    if (file === null) continue;
    const { state } = await verifyProvenance(Buffer.from(file.bytes), { trustAnchorsPem });
    if (state !== "trusted") wrong.push(`The manifest of ${key} is ${state}.`);
  }
  return { verified: files.length, wrong };
}
