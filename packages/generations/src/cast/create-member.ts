import { lockRights, type Caller } from "@atelier/accounts";
import { statement, type Database } from "@atelier/database";
import type { MemberKind } from "@atelier/schemas";
import { reserveFiles } from "../library/reserve.ts";
import { lockFiles } from "./lock-stored.ts";
import { assertFewMembers, findMemberOfKey, type EarlierMember } from "./member.ts";

/** A character or location that is to be kept. */
interface NewMember {
  readonly id: string;
  readonly kind: MemberKind;
  readonly name: string;
  readonly description: string;
  /** The normal one first. */
  readonly looks: readonly {
    readonly state: string | null;
    readonly description: string;
    /** The stored image. */
    readonly key: string;
    /** Where the request names it. */
    readonly path: string;
  }[];
  readonly storyJobId: string | null;
  readonly quotaBytes: number;
  readonly idempotency: { readonly key: string; readonly requestHash: Buffer } | null;
}

/**
 * Keeps a character or location until it is deleted: counts its images towards the quota, and protects
 * them until a worker has copied them. Can be repeated with the same id.
 *
 * @returns the character or location of an earlier request with the same idempotency key; null if it is
 *   created.
 * @throws AppError `keep_quota_exceeded`, `reference_unreachable` for an image that has been deleted, or the
 *   reason why the caller lost its rights.
 */
export async function createMember(
  database: Database,
  caller: Caller,
  member: NewMember,
): Promise<EarlierMember | null> {
  const created = await createOnce(database, caller, member);
  return created === "again" ? createMember(database, caller, member) : created;
}

/** @returns `again` when an earlier result of the request was deleted meanwhile. */
function createOnce(
  database: Database,
  caller: Caller,
  member: NewMember,
): Promise<EarlierMember | null | "again"> {
  const { id, idempotency, looks, quotaBytes } = member;
  const { accountId, keyId, mode } = caller;
  return database.transaction(async (sql) => {
    const findStored = async () => {
      const stored = await sql.query("SELECT FROM cast_member WHERE id = $1", [id]);
      if (stored.length > 0) return { earlier: null };
      const earlier = idempotency && (await findMemberOfKey(sql, { accountId, ...idempotency }));
      return earlier === null ? null : { earlier };
    };
    // Files are locked before the account. The images of a repeated request may be gone.
    const isRepeated = (await findStored()) !== null;
    const files = isRepeated ? [] : await lockFiles(sql, id, looks);
    // The lock of the account serialises requests with one idempotency key.
    await lockRights(sql, caller, "generate");
    const stored = await findStored();
    if (stored !== null) return stored.earlier;
    if (isRepeated) return "again";
    await assertFewMembers(sql, { accountId, mode });
    await reserveFiles(sql, {
      itemId: id,
      accountId,
      mode,
      kind: member.kind,
      files,
      quotaBytes,
    });
    if (idempotency !== null) {
      await sql.query(
        "UPDATE cast_member SET idempotency_key = NULL WHERE account_id = $1 AND idempotency_key = $2",
        [accountId, idempotency.key],
      );
    }
    await sql.query(
      ...insert.bind({
        id,
        accountId,
        keyId,
        mode,
        kind: member.kind,
        name: member.name,
        description: member.description,
        looks: JSON.stringify(
          looks.map(({ state, description }, index) => ({
            state,
            description,
            storageKey: files[index]?.storageKey,
          })),
        ),
        storyJobId: member.storyJobId,
        idempotencyKey: idempotency?.key ?? null,
        requestHash: idempotency?.requestHash ?? null,
      }),
    );
    return null;
  });
}

const insert = statement(
  [
    "id",
    "accountId",
    "keyId",
    "mode",
    "kind",
    "name",
    "description",
    "looks",
    "storyJobId",
    "idempotencyKey",
    "requestHash",
  ],
  `INSERT INTO cast_member (id, account_id, key_id, mode, kind, name, description, looks, story_job_id,
                            idempotency_key, request_hash)
   VALUES (:id, :accountId, :keyId, :mode, :kind, :name, :description, :looks::jsonb, :storyJobId,
           :idempotencyKey, :requestHash)`,
);
