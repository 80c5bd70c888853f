import type { Caller } from "@atelier/accounts";
import {
  findSimilar,
  listAmong,
  listGenerations,
  searchGenerations,
  type FoundGeneration,
} from "@atelier/generations/jobs";
import type { ListJobsQuery } from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";
import { readCursor, splitPage } from "../../http/cursor.ts";
import { modeToShow, visibleTo } from "../../http/permissions.ts";

/**
 * Returns a page of the generations that a caller may read, newest first. Later inserts do not shift
 * pages.
 *
 * @throws AppError `key_not_permitted` for live jobs with a test key, `invalid_request` for a malformed cursor, `job_not_found` for an unknown image of
 *   `similar_to`, `rate_limited` when too many searches of the account are waiting.
 */
export async function listPage(
  caller: Caller,
  { cursor, key, mode: wanted, similar_to: similarTo, ...filters }: ListJobsQuery,
  { accountMutex, database }: Needs<"accountMutex" | "database">,
): Promise<{ readonly page: readonly FoundGeneration[]; readonly nextCursor: string | null }> {
  const beforeId = readCursor(cursor);
  const reader = visibleTo(caller);
  const { accountId, keyId } = reader;
  // All jobs of a key have its mode.
  const isOfKey = key !== undefined && wanted === undefined && caller.mode === "live";
  const mode = isOfKey ? null : modeToShow(caller, wanted);
  // A key restricted to its own jobs does not see jobs of other keys.
  if (keyId !== null && key !== undefined && key !== keyId) return { page: [], nextCursor: null };
  const query = { ...filters, accountId, mode, keyId: keyId ?? key, beforeId };
  const {
    limit,
    hash,
    collection,
    starred,
    q,
    operation,
    model,
    request_id,
    metadata = {},
  } = filters;
  const hasTerms = [q, operation, model, request_id].some((value) => value !== undefined);
  const isSearch = hasTerms || Object.keys(metadata).length > 0;
  if (similarTo !== undefined) {
    const ids = await accountMutex.run(accountId, () =>
      findSimilar(database, similarTo, reader, query),
    );
    return splitPage(await listAmong(database, { ...query, ids }), limit);
  }
  if (hash !== undefined || collection !== undefined || starred === true) {
    return splitPage(await listAmong(database, query), limit);
  }
  const found = await (isSearch
    ? accountMutex.run(accountId, () => searchGenerations(database, query))
    : listGenerations(database, query));
  return splitPage(found, limit);
}
