import type { Database, Sql } from "@atelier/database";
import { isValidKey } from "./key-conditions.ts";
import { lockAccount } from "./manage.ts";

/** A person as the identity provider of the operator knows it. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Null without one, or if the provider has not verified it. */
  readonly verifiedEmail: string | null;
}

/** A member who may sign in. */
export interface IdentifiedMember {
  readonly accountId: string;
  readonly keyId: string;
}

/** Why an identity can't sign in. */
export type IdentityRefusal = "unknown" | "disabled" | "group" | "bound" | "ended" | "several";

/** SQL of members who can sign in: neither disabled nor of a suspended account. */
const active = `member JOIN api_key AS key ON key.id = member.key_id
       JOIN account ON account.id = member.account_id AND suspended_at IS NULL`;

/**
 * Finds the member of an identity for a sign-in: the one that it signed in as last, if the person is a member of
 * several accounts. An identity without a member is bound to the invitation of its verified e-mail address, unless
 * several accounts have invited that address: any account can do so.
 *
 * @param closed accounts for which the person is in no group that opens them.
 */
export function findIdentified(
  database: Pick<Database, "transaction">,
  identity: Identity,
  closed: readonly string[],
): Promise<IdentifiedMember | IdentityRefusal> {
  return database.transaction(async (sql) => {
    const known = await signInBound(sql, identity, closed);
    if (known !== null) return known;
    const { issuer, subject, verifiedEmail } = identity;
    const all = await sql.query<{ accountId: string }>(
      `SELECT account_id AS "accountId" FROM member WHERE issuer = $1 AND subject = $2`,
      [issuer, subject],
    );
    if (all.length > 0) {
      return all.every(({ accountId }) => closed.includes(accountId)) ? "group" : "disabled";
    }
    if (verifiedEmail === null) return "unknown";
    const invited = await sql.query<{ id: string }>(
      `SELECT member.id FROM ${active}
        WHERE member.email = $1 AND member.subject IS NULL AND ${isValidKey("key")}
          AND member.account_id <> ALL ($2::uuid[])`,
      [verifiedEmail, closed],
    );
    if (invited.length > 1) return "several";
    await sql.query(
      "UPDATE member SET issuer = $1, subject = $2 WHERE id = ANY ($3::uuid[]) AND subject IS NULL",
      [issuer, subject, invited.map(({ id }) => id)],
    );
    return (await signInBound(sql, identity, closed)) ?? "unknown";
  });
}

/** Finds the member of an identity and records the sign-in. Changes by other accounts do not affect which one it is. */
async function signInBound(
  sql: Sql,
  { issuer, subject }: Identity,
  closed: readonly string[],
): Promise<IdentifiedMember | null> {
  const [member] = await sql.query<IdentifiedMember>(
    `UPDATE member SET signed_in_at = now()
      WHERE id = (SELECT member.id FROM ${active}
                   WHERE issuer = $1 AND subject = $2 AND ${isValidKey("key")}
                     AND member.account_id <> ALL ($3::uuid[])
                   ORDER BY signed_in_at DESC NULLS LAST, member.id LIMIT 1)
     RETURNING account_id AS "accountId", key_id AS "keyId"`,
    [issuer, subject, closed],
  );
  return member ?? null;
}

/**
 * Binds an identity to a member that signed in with its link. A member keeps the identity that it has.
 *
 * @returns why not: `ended` for a member that is disabled or gone, `bound` when the member has another identity, or
 *   the identity is another member of the account.
 */
export function bindIdentity(
  database: Pick<Database, "transaction">,
  target: IdentifiedMember,
  { issuer, subject }: Identity,
): Promise<IdentifiedMember | IdentityRefusal> {
  return database.transaction(async (sql) => {
    await lockAccount(sql, target.accountId);
    const [other] = await sql.query<{ keyId: string }>(
      `SELECT key_id AS "keyId" FROM member WHERE account_id = $1 AND issuer = $2 AND subject = $3`,
      [target.accountId, issuer, subject],
    );
    if (other !== undefined && other.keyId !== target.keyId) return "bound";
    const [member] = await sql.query<{ isFree: boolean }>(
      `SELECT subject IS NULL OR issuer = $2 AND subject = $3 AS "isFree" FROM ${active}
        WHERE member.key_id = $1 AND ${isValidKey("key")}`,
      [target.keyId, issuer, subject],
    );
    if (member === undefined) return "ended";
    if (!member.isFree) return "bound";
    await sql.query(
      "UPDATE member SET issuer = $2, subject = $3, signed_in_at = now() WHERE key_id = $1",
      [target.keyId, issuer, subject],
    );
    return target;
  });
}
