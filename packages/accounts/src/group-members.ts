import { newId, type Database } from "@atelier/database";
import type { MemberRole } from "@atelier/schemas";
import type { Identity } from "./identities.ts";
import { makeSecretKey, writeRights } from "./key-lifecycle.ts";
import { readLineage } from "./lineage.ts";
import { lockAccount, lockSessions, rightsChannel } from "./manage.ts";
import { insertKeyOfMember, isLastOwner, readScopesOfRole } from "./members.ts";

/** A role that a group of the identity provider has in an account. */
export interface GroupRole {
  readonly accountId: string;
  readonly role: MemberRole;
}

/** A person of the identity provider, with a name for a new member. */
export interface NamedIdentity extends Identity {
  readonly name: string;
}

/**
 * Makes a person a member of an account with the role of a group, or changes the role of the member. The last owner
 * keeps its role, and a disabled member stays disabled.
 *
 * @param pepper of the key of a new member.
 */
export async function joinByGroup(
  database: Pick<Database, "query" | "transaction" | "notify">,
  { issuer, subject, verifiedEmail, name }: NamedIdentity,
  { accountId, role }: GroupRole,
  pepper: string,
): Promise<void> {
  // Most sign-ins change nothing. They neither lock the account and its sessions nor check its event streams.
  const unchanged = await database.query(
    "SELECT FROM member WHERE account_id = $1 AND issuer = $2 AND subject = $3 AND role = $4::member_role",
    [accountId, issuer, subject, role],
  );
  if (unchanged.length > 0) return;
  const secret = makeSecretKey(pepper);
  const id = newId();
  await database.transaction(async (sql) => {
    await lockSessions(sql, accountId);
    await lockAccount(sql, accountId);
    const [account] = await sql.query(
      "SELECT FROM account WHERE id = $1 AND erased_at IS NULL AND suspended_at IS NULL",
      [accountId],
    );
    if (account === undefined) return;
    // An invitation of the verified address becomes that of the identity.
    await sql.query(
      `UPDATE member SET issuer = $2, subject = $3
        WHERE account_id = $1 AND email = $4 AND subject IS NULL
          AND NOT EXISTS (SELECT FROM member AS other
                           WHERE other.account_id = $1 AND other.issuer = $2 AND other.subject = $3)`,
      [accountId, issuer, subject, verifiedEmail],
    );
    const [member] = await sql.query<{ id: string; keyId: string; role: MemberRole }>(
      `SELECT id, key_id AS "keyId", role FROM member
        WHERE account_id = $1 AND issuer = $2 AND subject = $3`,
      [accountId, issuer, subject],
    );
    if (member === undefined) {
      await insertKeyOfMember({ sql, accountId }, secret, { name, role });
      await sql.query(
        `INSERT INTO member (id, account_id, key_id, name, email, role, issuer, subject)
         VALUES ($1, $2, $3, $4,
                 CASE WHEN NOT EXISTS (SELECT FROM member WHERE account_id = $2 AND email = $5) THEN $5 END,
                 $6::member_role, $7, $8)`,
        [id, accountId, secret.id, name, verifiedEmail, role, issuer, subject],
      );
      return;
    }
    if (member.role === "owner" && (await isLastOwner({ sql, accountId }, member.id))) return;
    const lineage = await readLineage(sql, accountId, member.keyId);
    const key = lineage.find(member.keyId);
    if (key === null || key.isRevoked) return;
    await sql.query("UPDATE member SET role = $2::member_role WHERE id = $1", [member.id, role]);
    // Only makers have budgets and limited models.
    const limits = role === "maker" ? {} : { models: [], budgetId: null };
    await writeRights({ sql, accountId, lineage }, key.id, {
      ...key,
      ...limits,
      scopes: await readScopesOfRole({ sql, accountId }, role),
      name: null,
    });
    if (role !== "maker") {
      await sql.query("UPDATE api_key SET budget_micro_eur = NULL WHERE id = $1", [key.id]);
    }
  });
  database.notify(rightsChannel, accountId);
}
