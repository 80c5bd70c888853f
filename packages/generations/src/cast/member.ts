import { statement, type Sql } from "@atelier/database";
import {
  AppError,
  quotas,
  type KeyMode,
  type MemberKind,
  type ReceivedFormat,
} from "@atelier/schemas";
import type { Owner } from "../jobs/find.ts";

/** A character or location that an account keeps until it deletes it. */
export interface Member {
  readonly id: string;
  readonly kind: MemberKind;
  readonly name: string;
  readonly description: string;
  readonly status: "pending" | "kept" | "refused";
  readonly sizeBytes: number;
  readonly storyJobId: string | null;
  readonly createdAt: Date;
  /** The normal one first. */
  readonly looks: readonly Look[];
}

/** A look of a character, or a location, with its image; without one, the storage has lost it. */
interface Look {
  /** Null for the normal look. */
  readonly state: string | null;
  readonly description: string;
  /** Where the image is now: it may still have to be copied to where it is kept. */
  readonly storageKey: string | null;
  readonly format: ReceivedFormat | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** SQL that finds the file of a look, as `file`. */
const fileOfLook = `LEFT JOIN kept_file AS file
    ON file.storage_key = look->>'storageKey' AND file.deleted_at IS NULL`;

const columns = `
  member.id, member.kind, name, description, story_job_id AS "storyJobId", item.size_bytes AS "sizeBytes",
  CASE WHEN item.status IN ('requested', 'copying') THEN 'pending' ELSE item.status::text END AS status,
  member.created_at AS "createdAt",
  (SELECT json_agg(json_build_object(
            'state', look->>'state', 'description', look->>'description',
            'storageKey', coalesce(file.source_key, file.storage_key), 'format', file.format,
            'width', file.width, 'height', file.height) ORDER BY position)
     FROM jsonb_array_elements(looks) WITH ORDINALITY AS listed (look, position) ${fileOfLook}) AS looks`;

/** SQL condition on `member`: an owner may read it. */
const isOf = `member.account_id = :accountId AND (:keyId::uuid IS NULL OR member.key_id = :keyId)
      AND (:mode::key_mode IS NULL OR member.mode = :mode)`;

type Row = Omit<Member, "sizeBytes"> & { readonly sizeBytes: bigint };

function toMember(row: Row): Member {
  return { ...row, sizeBytes: Number(row.sizeBytes) };
}

/** Finds characters and locations of an owner by their ids, by id. */
export async function findMembers(
  sql: Sql,
  { accountId, keyId = null, mode = null, ids }: Owner & { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, Member>> {
  const rows = await sql.query<Row>(...byIds.bind({ accountId, keyId, mode, ids }));
  return new Map(rows.map((row) => [row.id, toMember(row)]));
}

const byIds = statement(
  ["accountId", "keyId", "mode", "ids"],
  `SELECT ${columns} FROM cast_member AS member JOIN kept_item AS item ON item.id = member.id
    WHERE member.id = ANY (:ids::uuid[]) AND ${isOf}`,
);

/**
 * Lists characters or locations of an owner, the newest first.
 *
 * @param page.kind null for both.
 * @param page.beforeId the last id of the previous page; null for the first.
 */
export async function listMembers(
  sql: Sql,
  page: Owner & {
    readonly kind: MemberKind | null;
    readonly beforeId: string | null;
    readonly limit: number;
  },
): Promise<Member[]> {
  const { accountId, keyId = null, mode = null, kind, beforeId, limit } = page;
  const rows = await sql.query<Row>(
    ...newest.bind({ accountId, keyId, mode, kind, beforeId, limit }),
  );
  return rows.map(toMember);
}

const newest = statement(
  ["accountId", "keyId", "mode", "kind", "beforeId", "limit"],
  `SELECT ${columns} FROM cast_member AS member JOIN kept_item AS item ON item.id = member.id
    WHERE ${isOf} AND (:kind::kept_kind IS NULL OR member.kind = :kind)
      AND (:beforeId::uuid IS NULL OR member.id < :beforeId)
    ORDER BY member.id DESC LIMIT :limit`,
);

/** Finds the character or location that was created with an idempotency key in the last 24 hours. */
export async function findMemberOfKey(
  sql: Sql,
  use: { readonly accountId: string; readonly key: string; readonly requestHash: Buffer },
): Promise<EarlierMember | null> {
  const [earlier] = await sql.query<EarlierMember>(
    `SELECT id, request_hash = $3 AS "isSameRequest" FROM cast_member
      WHERE account_id = $1 AND idempotency_key = $2 AND created_at > now() - interval '24 hours'`,
    [use.accountId, use.key, use.requestHash],
  );
  return earlier ?? null;
}

/** The character or location of an earlier request with the same idempotency key. */
export interface EarlierMember {
  readonly id: string;
  readonly isSameRequest: boolean;
}

/** The id of the character or location that a job draws; null when it has been deleted. */
export async function findDrawnMember(
  sql: Sql,
  job: { readonly accountId: string; readonly generationId: string },
): Promise<string | null> {
  const [drawn] = await sql.query<{ id: string }>(
    "SELECT id FROM cast_member WHERE account_id = $1 AND story_job_id = $2 AND drawn",
    [job.accountId, job.generationId],
  );
  return drawn?.id ?? null;
}

/**
 * Refuses another character or location of an account that has as many of a mode as it may.
 *
 * @throws AppError `keep_quota_exceeded`.
 */
export async function assertFewMembers(
  sql: Sql,
  { accountId, mode }: { readonly accountId: string; readonly mode: KeyMode },
): Promise<void> {
  const [counted] = await sql.query<{ members: number }>(
    "SELECT count(*)::int AS members FROM cast_member WHERE account_id = $1 AND mode = $2",
    [accountId, mode],
  );
  const most = quotas.members[mode];
  if ((counted?.members ?? 0) < most) return;
  throw new AppError(
    "keep_quota_exceeded",
    `The account has ${most} characters and locations of ${mode} keys, which is its limit. Delete some with DELETE /v1/characters/{id} or /v1/locations/{id}.`,
    { details: { max_members: most } },
  );
}

/** The error for a character or location that does not exist. */
export function memberNotFound(kind: MemberKind): AppError {
  return new AppError(
    `${kind}_not_found`,
    `There is no ${kind} with this id. GET /v1/${kind}s lists your ${kind}s.`,
  );
}
