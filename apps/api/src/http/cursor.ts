import { AppError, jobId } from "@atelier/schemas";

/** Encodes the id of a page's last row. */
function makeCursor(lastId: string): string {
  return Buffer.from(lastId).toString("base64url");
}

/** @throws AppError `invalid_request` for a malformed cursor. */
export function readCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const parsed = jobId.safeParse(Buffer.from(cursor, "base64url").toString());
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_request", "cursor must be a next_cursor of an earlier page.", {
    details: [{ path: "cursor", code: "invalid_format", message: "not a cursor" }],
  });
}

/** Splits rows that were read with one more than the limit into a page and the next cursor. */
export function splitPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last ? makeCursor(last.id) : null };
}
