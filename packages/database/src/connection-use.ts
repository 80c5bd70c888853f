import type { Sql } from "./sql.ts";

/** Connections to Postgres that running programs may open, and that it allows. */
export interface ConnectionUse {
  /** Sum of the pools of all programs that listen on this database; those behind a pooler count one each. */
  readonly possible: number;
  /** `max_connections` without those that are reserved for administrators. */
  readonly allowed: number;
}

/** Name of a connection that listens, with the number of connections that its program may open. */
export function listenerName(connections: number): string {
  return `atelier-listen ${connections}`;
}

/** Reads which connections the programs on this database may open, from the names of those that listen. */
export async function readConnectionUse(sql: Sql): Promise<ConnectionUse> {
  const [use] = await sql.query<{ possible: number; allowed: number }>(
    `SELECT (SELECT coalesce(sum(substring(application_name FROM '^atelier-listen (\\d{1,6})$')::int), 0)::int
               FROM pg_stat_activity WHERE datname = current_database()) AS possible,
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true)::int, 0) AS allowed`,
  );
  return use ?? { possible: 0, allowed: 0 };
}

/**
 * Describes that all programs together may open more connections than Postgres allows.
 *
 * @returns null while they may not.
 */
export function describeConnectionUse({ possible, allowed }: ConnectionUse): string | null {
  if (possible <= allowed) return null;
  return (
    `the running programs may open ${possible} connections to Postgres, which allows ${allowed}: ` +
    "raise max_connections, lower WORKER_CONCURRENCY, or use PgBouncer (docs/deployment.md)"
  );
}

/** Warns once if all programs together may open more connections than Postgres allows. */
export async function warnOfConnections(
  sql: Sql,
  logger: { warn(facts: object, message: string): void },
): Promise<void> {
  try {
    const use = await readConnectionUse(sql);
    const problem = describeConnectionUse(use);
    if (problem !== null) logger.warn({ ...use }, problem);
  } catch (error) {
    logger.warn({ err: error }, "the connections of all programs could not be summed");
  }
}
