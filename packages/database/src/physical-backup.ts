import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { withoutTimeouts } from "./statement-timeouts.ts";

/**
 * The data folder of a server, if this process can read it: its control file has the server's system
 * identifier. Null for a server on another machine, one with tablespaces, and a role that is not a
 * superuser.
 */
export async function findDataFolder(databaseUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ folder: string | null; system: string; fits: boolean }>(
      `SELECT current_setting('data_directory', true) AS folder,
              (SELECT system_identifier FROM pg_control_system())::text AS system,
              (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
                AND NOT EXISTS (SELECT FROM pg_tablespace WHERE spcname NOT IN ('pg_default', 'pg_global')) AS fits`,
    );
    const [server] = rows;
    if (server?.folder == null || !server.fits) return null;
    // The system identifier is the first field of the control file (src/include/catalog/pg_control.h).
    const control = await readFile(join(server.folder, "global/pg_control"));
    return control.readBigUInt64LE(0).toString() === server.system ? server.folder : null;
  } catch {
    return null;
  } finally {
    await client.end();
  }
}

/** The part of the write-ahead log that makes a copy of the data folder consistent. */
export interface BackupLog {
  /** Content of the file `backup_label` of the copy. */
  readonly label: string;
  /** First and last file of the log that the copy needs. */
  readonly firstFile: string;
  readonly lastFile: string;
}

/**
 * Runs two steps of a base backup (Postgres 18, "Making a Base Backup Using the Low Level API"), while
 * the server serves: `copyFiles` between its start and its end, then `copyLog`. A replication slot of this
 * connection keeps the log until it is copied.
 */
export async function withBaseBackup(
  databaseUrl: string,
  steps: {
    readonly copyFiles: () => Promise<void>;
    readonly copyLog: (log: BackupLog) => Promise<void>;
  },
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "atelier-backup",
    options: withoutTimeouts,
    keepAlive: true,
  });
  // The next statement then fails with the same error.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("SELECT pg_create_physical_replication_slot($1, true, true)", [
      `atelier_backup_${process.pid}_${Date.now()}`,
    ]);
    const { rows: begun } = await client.query<{ firstFile: string }>(
      `SELECT pg_walfile_name(pg_backup_start('atelier', fast => true)) AS "firstFile"`,
    );
    await steps.copyFiles();
    const { rows: ended } = await client.query<{ label: string; lastFile: string }>(
      `SELECT labelfile AS label, pg_walfile_name(lsn) AS "lastFile"
         FROM pg_backup_stop(wait_for_archive => false)`,
    );
    const [start] = begun;
    const [end] = ended;
    if (start === undefined || end === undefined) throw new Error("The base backup has no end.");
    await steps.copyLog({ ...start, ...end });
  } finally {
    await client.end();
  }
}
