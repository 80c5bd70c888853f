import type { Sql } from "@atelier/database";
import {
  jobKind,
  jobStatus,
  type GenerationError,
  type ImageFormat,
  type JobStatus,
  type ListJobsQuery,
  type RenderRole,
  type RenderSpec,
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

const newestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * A page of an account's generations, newest first, and one more to tell whether there is a next.
 *
 * The newest of each kind in each state, and of those the newest: each comes from one range of the one
 * index, however rare the combination is. The array and the order by account keep the planner from the
 * primary key, through which it would pass over all that is newer in the hope of an early match.
 */
export function listGenerations(
  sql: Sql,
  of: {
    readonly accountId: string;
    /** Only those older than the one with this id. */
    readonly beforeId: string | null;
  } & Pick<ListJobsQuery, "limit" | "status" | "kind">,
): Promise<FoundGeneration[]> {
  const kinds = jobKind.options.filter((kind) => kind === (of.kind ?? kind));
  const statuses = jobStatus.options.filter((status) => status === (of.status ?? status));
  // In the text and not values, so that the planner knows how many ranges there are.
  return sql.query(
    `SELECT ${columns} FROM (
       SELECT newest.id
         FROM unnest('{${kinds.join()}}'::generation_kind[]) AS of_kind (kind),
              unnest('{${statuses.join()}}'::generation_status[]) AS of_status (status),
              LATERAL (
                SELECT id FROM generation
                 WHERE account_id = ANY ($1) AND generation.kind = of_kind.kind
                   AND generation.status = of_status.status AND id < $2
                 ORDER BY account_id, id DESC LIMIT $3
              ) AS newest
        ORDER BY newest.id DESC LIMIT $3
     ) AS page JOIN generation g ON g.id = page.id ORDER BY g.id DESC`,
    [[of.accountId], of.beforeId ?? newestId, of.limit + 1],
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
export function isFinal({ status }: { readonly status: JobStatus }): boolean {
  return status !== "pending" && status !== "processing";
}
