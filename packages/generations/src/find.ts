import type { Sql } from "@atelier/database";
import type {
  GenerationError,
  ImageFormat,
  JobStatus,
  ListJobsQuery,
  RenderRole,
  RenderSpec,
} from "@atelier/schemas";

/** A generation with its renders in order and their images, as it is presented to its owner. */
export interface FoundGeneration {
  readonly id: string;
  readonly kind: "image" | "story";
  readonly status: JobStatus;
  readonly model: string;
  readonly request: unknown;
  readonly title: string | null;
  readonly chargedMicroEur: bigint | null;
  readonly balanceAfterMicroEur: bigint | null;
  readonly error: GenerationError | null;
  readonly scenesTotal: number | null;
  readonly scenesCompleted: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly renders: readonly FoundRender[];
}

export interface FoundRender {
  readonly role: RenderRole;
  readonly model: string;
  readonly spec: Pick<RenderSpec, "name" | "state" | "title">;
  readonly images: readonly FoundImage[];
}

export interface FoundImage {
  readonly format: ImageFormat;
  readonly storageKey: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Its retention is over: only the hash is left. */
  readonly deleted: boolean;
}

// Renders matter to a reader only once all of them are done.
const columns = `
  g.id, kind, status, model, title, error,
  CASE WHEN kind = 'story' AND status = 'completed' THEN request END AS request,
  charged_micro_eur AS "chargedMicroEur", balance_after_micro_eur AS "balanceAfterMicroEur",
  scenes_total AS "scenesTotal", scenes_completed AS "scenesCompleted",
  created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt",
  CASE WHEN status <> 'completed' THEN '[]'::json ELSE (
    SELECT json_agg(json_build_object(
        'role', r.role, 'model', r.model,
        'spec', json_build_object('name', r.spec->'name', 'state', r.spec->'state', 'title', r.spec->'title'),
        'images', (
          SELECT coalesce(json_agg(json_build_object(
              'format', i.format, 'storageKey', i.storage_key, 'sha256', i.sha256,
              'sizeBytes', i.size_bytes, 'deleted', i.deleted_at IS NOT NULL) ORDER BY i.format), '[]')
            FROM image i WHERE i.render_id = r.id)
      ) ORDER BY r.position)
      FROM render r WHERE r.generation_id = g.id
  ) END AS renders`;

/** A generation of an account; null when it has none with this id. */
export async function findGeneration(
  sql: Sql,
  of: { readonly accountId: string; readonly generationId: string },
): Promise<FoundGeneration | null> {
  const [found] = await sql.query<FoundGeneration>(
    `SELECT ${columns} FROM generation g WHERE g.id = $1 AND g.account_id = $2`,
    [of.generationId, of.accountId],
  );
  return found ?? null;
}

/** A page of an account's generations, newest first, and one more to tell whether there is a next. */
export function listGenerations(
  sql: Sql,
  of: {
    readonly accountId: string;
    /** Only those older than the one with this id. */
    readonly beforeId: string | null;
  } & Pick<ListJobsQuery, "limit" | "status" | "kind">,
): Promise<FoundGeneration[]> {
  // One statement for each combination, so that each is planned for itself: there is an index for the
  // status and one for the kind, and both together go by either.
  const conditions = ["g.account_id = $1"];
  const values: unknown[] = [of.accountId, of.limit + 1];
  for (const [column, operator, value] of [
    ["id", "<", of.beforeId],
    ["status", "=", of.status],
    ["kind", "=", of.kind],
  ] as const) {
    if (value === null || value === undefined) continue;
    values.push(value);
    conditions.push(`g.${column} ${operator} $${values.length}`);
  }
  return sql.query(
    `SELECT ${columns} FROM generation g WHERE ${conditions.join(" AND ")} ORDER BY g.id DESC LIMIT $2`,
    values,
  );
}

/** Those of the generations that are final: the question that waiting requests ask together. */
export async function filterFinal(sql: Sql, generationIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    "SELECT id FROM generation WHERE id = ANY ($1) AND status NOT IN ('pending', 'processing')",
    [generationIds],
  );
  return rows.map(({ id }) => id);
}

/** Whether nothing about a generation changes any more. */
export function isFinal({ status }: FoundGeneration): boolean {
  return status !== "pending" && status !== "processing";
}
