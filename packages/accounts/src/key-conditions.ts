import { eventTypes } from "@atelier/schemas";

/**
 * SQL condition on a row of `api_key`: it is neither revoked nor expired. A key ends no later than the
 * key that created it (see `endKeys` and `narrowDescendants`), so that its own row is enough.
 *
 * @param key alias of the row.
 * @param now SQL expression for the time; `clock_timestamp()` in statements that wait for locks.
 */
export const isValidKey = (key: string, now = "now()") =>
  `(${key}.revoked_at IS NULL AND (${key}.expires_at IS NULL OR ${key}.expires_at > ${now}))`;

/**
 * SQL condition on a row of `api_key`: it has the scopes that a share needs, to be created, read and stopped.
 *
 * @param key alias of the row.
 */
export const hasScopesOfShare = (key: string) => `${key}.scopes @> '{read,generate}'`;

const jobEvents = eventTypes
  .filter((type) => type.startsWith("job."))
  .map((type) => `'${type}'`)
  .join(", ");

/**
 * SQL expression: why a webhook ended with its key; null while it may deliver. A webhook has no more
 * rights than its key: `manage`, and `read` for events of jobs. The receiver of a `webhook_url` is sent only
 * jobs of its key, and needs `generate`.
 *
 * @param webhook alias of a row of `webhook`.
 * @param key alias of the row of its key, all null for a webhook without one.
 */
export const webhookEnd = (webhook: string, key: string) => `CASE
    WHEN ${key}.revoked_at IS NOT NULL THEN 'key_revoked'
    WHEN ${key}.expires_at <= now() THEN 'key_expired'
    WHEN CASE WHEN ${webhook}.requested_at IS NOT NULL THEN NOT 'generate' = ANY (${key}.scopes)
         ELSE NOT 'manage' = ANY (${key}.scopes)
           OR NOT 'read' = ANY (${key}.scopes) AND ${webhook}.events && ARRAY[${jobEvents}] END
    THEN 'key_not_permitted' END`;
