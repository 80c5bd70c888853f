import pg from "pg";
import { statementTimeouts } from "./statement-timeouts.ts";

/**
 * Gives the role of a URL the time-outs and the time zone of `createDatabase` as defaults in that database. A pooler in
 * transaction mode passes on no startup parameters, so its connections get them this way. Sessions that
 * exist keep what they have; `RECONNECT` in PgBouncer replaces them.
 *
 * @param directUrl not through the pooler.
 */
export async function setRoleDefaults(directUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: directUrl });
  await client.connect();
  try {
    for (const [name, value] of Object.entries({ ...statementTimeouts, TimeZone: "UTC" })) {
      await client.query(
        `DO $$ BEGIN
           EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${name} = ${value}',
             current_user, current_database());
         END $$`,
      );
    }
  } finally {
    await client.end();
  }
}
