import type { Caller } from "@atelier/accounts";
import { listMembers, type Member } from "@atelier/generations/cast";
import type { MemberKind } from "@atelier/schemas";
import type { Needs } from "../dependencies.ts";
import { readCursor, splitPage } from "../http/cursor.ts";
import { visibleTo } from "../http/permissions.ts";

/**
 * Returns a page of the characters and locations that the caller may read, of the mode of its key, over any
 * protocol.
 *
 * @param kind null for both.
 */
export async function listPage(
  caller: Caller,
  kind: MemberKind | null,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  { database }: Needs<"database">,
): Promise<{ readonly page: readonly Member[]; readonly nextCursor: string | null }> {
  const found = await listMembers(database, {
    ...visibleTo(caller),
    mode: caller.mode,
    kind,
    beforeId: readCursor(cursor),
    limit: limit + 1,
  });
  return splitPage(found, limit);
}
