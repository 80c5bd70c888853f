import { listGenerations, type FoundGeneration } from "@atelier/generations";
import { AppError, jobId, type ListJobsQuery } from "@atelier/schemas";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * A page of an account's generations, newest first; pages do not shift.
 *
 * @throws AppError `invalid_request` for a cursor that is none.
 */
export async function listPage(
  accountId: string,
  { limit, cursor, status, kind }: ListJobsQuery,
  { database }: ApiDependencies,
): Promise<{ readonly page: readonly FoundGeneration[]; readonly nextCursor: string | null }> {
  const beforeId = cursor === undefined ? null : readCursor(cursor);
  const found = await listGenerations(database, { accountId, beforeId, limit, status, kind });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { page, nextCursor: hasMore ? makeCursor(last.id) : null };
}

function makeCursor(lastId: string): string {
  return Buffer.from(lastId).toString("base64url");
}

function readCursor(cursor: string): string {
  const parsed = jobId.safeParse(Buffer.from(cursor, "base64url").toString());
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_request", "cursor must be a next_cursor of an earlier page.", {
    details: [{ path: "cursor", code: "invalid_format", message: "not a cursor" }],
  });
}
