import { statement, type Sql } from "@atelier/database";
import { AppError, type OwnedThing } from "@atelier/schemas";
import type { Caller } from "./authenticate.ts";

/** The tables of things that belong to a key. */
const tables = {
  job: "generation",
  batch: "batch",
  upload: "upload",
  character: "cast_member",
  location: "cast_member",
  share: "share",
} as const satisfies Record<OwnedThing, string>;

/** Finds a thing of another key when the key of the caller belongs to a maker. */
const findOther = (table: string) =>
  statement(
    ["keyId", "accountId", "id"],
    `WITH RECURSIVE line AS (
       SELECT id, parent_id FROM api_key WHERE id = :keyId
       UNION
       SELECT maker.id, maker.parent_id FROM line JOIN api_key AS maker ON maker.id = line.parent_id
     )
     SELECT FROM ${table} AS thing
      WHERE id = :id AND account_id = :accountId AND key_id IS DISTINCT FROM :keyId
        AND EXISTS (SELECT FROM line JOIN member ON member.key_id = line.id WHERE role = 'maker')`,
  );

const finders = Object.fromEntries(
  Object.entries(tables).map(([thing, table]) => [thing, findOther(table)]),
) as Record<OwnedThing, ReturnType<typeof findOther>>;

/**
 * Checks that a caller may change a thing of its account. Makers, who may read what belongs to others,
 * change only what is their own (docs/people.md).
 *
 * @param id of the thing; one that does not exist is not refused here.
 * @throws AppError `key_not_permitted`.
 */
export async function assertMayChangeThing(
  sql: Sql,
  { keyId, accountId, scopes }: Pick<Caller, "keyId" | "accountId" | "scopes">,
  thing: OwnedThing,
  id: string,
): Promise<void> {
  // Without the scope read, a key finds only what is its own; makers never have the scope manage.
  if (!scopes.includes("read") || scopes.includes("manage")) return;
  const others = await sql.query(...finders[thing].bind({ keyId, accountId, id }));
  if (others.length === 0) return;
  throw new AppError(
    "key_not_permitted",
    `This ${thing} belongs to another key. Makers change only what is their own; ask a manager or an owner of the account.`,
    { details: { role: "maker", thing } },
  );
}
