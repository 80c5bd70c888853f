import { statement, type Sql } from "@atelier/database";
import type { KeyMode } from "@atelier/schemas";

/** A job whose images an account keeps. */
export interface KeptItem {
  readonly id: string;
  readonly status: "pending" | "kept" | "refused";
  readonly sizeBytes: number;
  readonly createdAt: Date;
}

/**
 * Lists the jobs that an account keeps, the newest first.
 *
 * @param page.mode only jobs of this mode; null for both.
 * @param page.beforeId the last id of the previous page; null for the first.
 */
export async function listKept(
  sql: Sql,
  page: {
    readonly accountId: string;
    readonly mode: KeyMode | null;
    readonly beforeId: string | null;
    readonly limit: number;
  },
): Promise<KeptItem[]> {
  const items = await sql.query<Omit<KeptItem, "sizeBytes"> & { readonly sizeBytes: bigint }>(
    ...newestKept.bind(page),
  );
  return items.map((item) => ({ ...item, sizeBytes: Number(item.sizeBytes) }));
}

const newestKept = statement(
  ["accountId", "mode", "beforeId", "limit"],
  `SELECT id, CASE WHEN status IN ('requested', 'copying') THEN 'pending' ELSE status::text END AS status,
          size_bytes AS "sizeBytes", created_at AS "createdAt"
     FROM kept_item
    WHERE account_id = :accountId AND kind = 'job' AND (:beforeId::uuid IS NULL OR id < :beforeId)
      AND (:mode::key_mode IS NULL OR EXISTS (
            SELECT FROM generation WHERE generation.id = kept_item.id AND generation.mode = :mode))
    ORDER BY id DESC LIMIT :limit`,
);
