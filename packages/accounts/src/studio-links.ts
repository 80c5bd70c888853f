import { createHmac } from "node:crypto";
import type { Sql } from "@atelier/database";
import { seal, unsealWithAny, type Peppers } from "@atelier/kit";
import { isWellFormedKey } from "./key-format.ts";

/** How long a link can be used, in hours. */
const hoursValid = 24;

const purpose = "atelier studio links";

/**
 * Creates a link that signs in to Studio with a key, once within 24 hours. The link contains the key,
 * encrypted with the pepper; the database stores a hash of the link.
 *
 * @returns the link for `studioLinkUrl`.
 */
export async function createStudioLink(
  sql: Sql,
  { key, pepper }: { readonly key: string; readonly pepper: string },
): Promise<string> {
  const link = seal(key, { secret: pepper, purpose });
  await sql.query(
    "INSERT INTO studio_link (hash, expires_at) VALUES ($1, now() + $2 * interval '1 hour')",
    [hashLink(link, pepper), hoursValid],
  );
  return link.toString("base64url");
}

/**
 * Returns the URL of a link. Browsers do not send the part after `#` to servers, so that no log or
 * referrer contains it and no preview uses it up.
 */
export function studioLinkUrl(baseUrl: string, link: string): string {
  return `${baseUrl}/studio/#link=${link}`;
}

/**
 * Redeems a link, which ends it. A link that this installation did not create is refused without a query.
 *
 * @returns its key, which may be revoked by now; null when the link is malformed, used or expired.
 */
export async function redeemStudioLink(
  sql: Sql,
  { link, peppers }: { readonly link: string; readonly peppers: Peppers },
): Promise<string | null> {
  const bytes = Buffer.from(link, "base64url");
  const opened = openLink(bytes, peppers);
  if (opened === null) return null;
  const { key, pepper } = opened;
  const deleted = await sql.query(
    "DELETE FROM studio_link WHERE hash = $1 AND expires_at > now() RETURNING hash",
    [hashLink(bytes, pepper)],
  );
  return deleted.length > 0 ? key : null;
}

/**
 * Returns the key of a link without using it up, so that its account can be named before it replaces a
 * session.
 *
 * @returns null when the link is malformed, used or expired.
 */
export async function peekStudioLink(
  sql: Sql,
  { link, peppers }: { readonly link: string; readonly peppers: Peppers },
): Promise<string | null> {
  const bytes = Buffer.from(link, "base64url");
  const opened = openLink(bytes, peppers);
  if (opened === null) return null;
  const { key, pepper } = opened;
  const found = await sql.query("SELECT FROM studio_link WHERE hash = $1 AND expires_at > now()", [
    hashLink(bytes, pepper),
  ]);
  return found.length > 0 ? key : null;
}

/** Deletes links that have expired. */
export async function forgetStudioLinks(sql: Sql): Promise<void> {
  await sql.query("DELETE FROM studio_link WHERE expires_at <= now()");
}

/** Whether this installation created a link, which may be used or expired. */
export function isWellFormedLink(link: string, peppers: Peppers): boolean {
  return openLink(Buffer.from(link, "base64url"), peppers) !== null;
}

function openLink(
  link: Buffer,
  peppers: Peppers,
): { readonly key: string; readonly pepper: string } | null {
  const opened = unsealWithAny(link, peppers, { purpose });
  return opened !== null && isWellFormedKey(opened.text)
    ? { key: opened.text, pepper: opened.secret }
    : null;
}

/** Of the bytes, because several texts decode to the same ones. */
function hashLink(link: Buffer, pepper: string): Buffer {
  return createHmac("sha256", pepper).update(link).digest();
}
