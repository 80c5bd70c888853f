import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  homeFiles,
  homeVariables,
  parseConfig,
  restoringPrefix,
  serviceVariables,
  variable,
  type Environment,
} from "@atelier/configuration";
import { createDatabase, readMigrationNames } from "@atelier/database";
import { startProgram } from "@atelier/process";
import * as z from "zod";
import type { Answer } from "../answer.ts";
import type { Remark } from "../remark.ts";
import { findConnection } from "../connection.ts";
import { adoptRestored, openErasures } from "./after-restore.ts";
import { copyHashed, readFileList, readManifest, verifyFiles, type Manifest } from "./manifest.ts";
import { restoreDatabase } from "./postgres-tools.ts";

export interface RestoreFlags {
  /** Only restore the data folder of Postgres to this path. */
  readonly postgresData?: string;
  /** Folder for the files with secrets. */
  readonly secrets?: string;
  /** A place with records of erasures that the backup does not have; see `openRecords`. */
  readonly erasures?: string;
}

/**
 * Restores a backup: into a new ATELIER_HOME; into the empty database of DATABASE_URL, for a dump; or,
 * with `postgresData`, only the files of a server that starts afterwards. Everything is verified before
 * anything is written.
 *
 * @throws Error when the backup is damaged or does not fit, or when the target is not empty.
 */
export async function restore(
  environment: Environment,
  folder: string,
  flags: RestoreFlags,
  remark: Remark,
): Promise<Answer> {
  const manifest = await readManifest(folder);
  await assertKnown(manifest);
  const { postgresData, secrets, erasures } = flags;
  if (postgresData !== undefined) {
    requireMethod(
      manifest,
      "files",
      "Leave out --postgres-data, and set DATABASE_URL to an empty database.",
    );
    if (erasures !== undefined) throw new Error("Pass --erasures to after-restore, which follows.");
    await assertEmpty(postgresData);
    if (secrets !== undefined) await assertEmpty(secrets);
    await verifyFiles(folder, manifest, remark);
    await placeData(folder, manifest, postgresData, { keepsOwner: true });
    if (secrets !== undefined) await placeSecrets(folder, secrets, 0o644);
    return {
      json: { restored: "files", postgres_data: postgresData },
      text: "Database files and secrets are restored. Start Postgres and the storage, then run after-restore.",
    };
  }
  if (manifest.postgres.method === "dump")
    return restoreServices(environment, folder, manifest, flags, remark);
  if (manifest.installation !== "home") {
    throw new Error(
      "This is a backup of an installation of several programs. Restore its parts with --postgres-data <folder> " +
        'and after-restore; see "Backup and restore" in docs/operations.md.',
    );
  }
  return restoreHome(environment, { folder, manifest, erasures: erasures ?? null }, remark);
}

/** @throws Error for a backup of a newer version, whose migrations this one does not know. */
async function assertKnown(manifest: Manifest): Promise<void> {
  const known = new Set(await readMigrationNames());
  const unknown = manifest.postgres.migrations.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new Error(
    `The backup was made by version ${manifest.version}, which has the migration ${unknown}. ` +
      "Restore it with that version or a newer one.",
  );
}

function requireMethod(manifest: Manifest, method: "files" | "dump", advice: string): void {
  if (manifest.postgres.method === method) return;
  throw new Error(
    `The backup contains a database as ${manifest.postgres.method}, not ${method}. ${advice}`,
  );
}

async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  });
}

/** @throws Error for a folder that has any content, except leftovers of an interrupted restore that may be there. */
async function assertEmpty(folder: string, leftovers: readonly string[] = []): Promise<void> {
  const names = await listNames(folder);
  if (names.every((name) => leftovers.includes(name))) return;
  throw new Error(
    `${folder} is not empty, and a restore replaces nothing. Move it elsewhere, or name another folder.`,
  );
}

/** Restores the files below a prefix of the backup. */
async function place(
  folder: string,
  prefix: string,
  onFile: (relativePath: string, source: string) => Promise<void>,
): Promise<void> {
  for await (const { path } of readFileList(folder)) {
    if (path.startsWith(prefix)) await onFile(path.slice(prefix.length), join(folder, path));
  }
}

async function placeData(
  folder: string,
  { postgres }: Manifest,
  target: string,
  { keepsOwner }: { readonly keepsOwner: boolean },
): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  // The user of Postgres passes through these.
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  const own = (path: string) =>
    keepsOwner && isRoot ? chown(path, postgres.uid, postgres.gid) : Promise.resolve();
  for (const path of postgres.folders) {
    await mkdir(join(target, path), { recursive: true, mode: 0o700 });
    await chmod(join(target, path), 0o700);
    await own(join(target, path));
  }
  await place(folder, "postgres/", async (path, source) => {
    await copyHashed(source, join(target, path));
    await own(join(target, path));
  });
}

async function placeSecrets(folder: string, target: string, mode: number): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  await place(folder, "secrets/", async (path, source) => {
    await mkdir(dirname(join(target, path)), { recursive: true, mode: 0o700 });
    await copyHashed(source, join(target, path));
    await chmod(join(target, path), mode);
  });
}

const homeSettings = z.object({
  ...homeVariables,
  STORAGE_URL: serviceVariables.STORAGE_URL.optional(),
  QUEUE_URL: serviceVariables.QUEUE_URL,
  OPERATOR_LOG_KEY: variable.secret.optional(),
  OLD_OPERATOR_LOG_KEYS: variable.secrets,
});

/**
 * Builds the folder beside its final place, so that an interrupted restore leaves nothing behind there. A mount point,
 * such as the volume of a container, cannot be replaced: the folder is built inside, and its content moved up.
 */
async function restoreHome(
  environment: Environment,
  {
    folder,
    manifest,
    erasures,
  }: {
    readonly folder: string;
    readonly manifest: Manifest;
    readonly erasures: string | null;
  },
  remark: Remark,
): Promise<Answer> {
  const settings = parseConfig(homeSettings, environment);
  const { ATELIER_HOME: home } = settings;
  const leftovers = (await listNames(home)).filter((name) => name.startsWith(restoringPrefix));
  await assertEmpty(home, leftovers);
  await using records = await openErasures(erasures, {
    hasStorage: settings.STORAGE_URL !== undefined || manifest.images !== null,
  });
  await verifyFiles(folder, manifest, remark);
  await mkdir(dirname(home), { recursive: true });
  for (const name of leftovers) await rm(join(home, name), { recursive: true, force: true });
  const isMounted = await isMountPoint(home);
  const building = await mkdtemp(
    isMounted ? join(home, restoringPrefix) : `${home}${restoringPrefix}`,
  );
  let isMoving = false;
  try {
    remark("Copying the database");
    await placeSecrets(folder, building, 0o600);
    await mkdir(join(building, "postgres"), { recursive: true });
    await placeData(folder, manifest, join(building, "postgres", "data"), { keepsOwner: false });
    const files = manifest.images === null ? null : pathToFileURL(join(building, "files")).href;
    const storageUrl = settings.STORAGE_URL ?? files;
    const operatorLogKey = settings.OPERATOR_LOG_KEY ?? (await readLogKey(building));
    remark("Starting the database");
    const answer = await withDatabaseOf(building, (databaseUrl) =>
      adoptRestored(
        {
          databaseUrl,
          queueUrl: settings.QUEUE_URL ?? databaseUrl,
          storageUrl,
          operatorLogKey,
          oldOperatorLogKeys: settings.OLD_OPERATOR_LOG_KEYS,
        },
        { backup: { folder, manifest }, erasures: records },
        remark,
      ),
    );
    if (isMounted) {
      isMoving = true;
      await moveUp(building, home);
    } else {
      await rmdir(home).catch(() => undefined);
      await rename(building, home);
    }
    return {
      ...answer,
      json: { restored: home, ...(answer.json as object) },
      text: `${answer.text}\nRestored to ${home}. Start it with npm start.`,
    };
  } catch (error) {
    // Parts of the installation have left the folder, and the rest belongs to them.
    if (!isMoving) await rm(building, { recursive: true, force: true });
    throw error;
  }
}

async function isMountPoint(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null);
  return found !== null && found.dev !== (await stat(dirname(folder))).dev;
}

/** The database first and the secrets last: without them, a start refuses the database. */
async function moveUp(from: string, to: string): Promise<void> {
  const others = new Set(await readdir(from));
  for (const name of ["postgres", "secrets.json"]) others.delete(name);
  for (const name of ["postgres", ...others, "secrets.json"]) {
    await rename(join(from, name), join(to, name));
  }
  await rmdir(from);
}

/** The key of the operator log among the secrets of a home; null for one of an earlier version. */
async function readLogKey(home: string): Promise<string | null> {
  const { operator_log_key: key } = z
    .object({ operator_log_key: z.string().optional() })
    .parse(JSON.parse(await readFile(homeFiles(home).secrets, "utf8")));
  return key ?? null;
}

/** Runs the embedded database of a home while `work` runs. */
async function withDatabaseOf<Result>(
  home: string,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const secrets = z
    .object({ database_password: z.string() })
    .parse(JSON.parse(await readFile(homeFiles(home).secrets, "utf8")));
  const logs = await mkdtemp(join(tmpdir(), "atelier-restore-"));
  try {
    const program = await startProgram({
      name: "Postgres",
      script: fileURLToPath(new URL("../../../standalone/src/serve-database.ts", import.meta.url)),
      environment: { PATH: process.env["PATH"] ?? "", ATELIER_HOME: home },
      logFile: join(logs, "postgres.log"),
    }).catch((cause: unknown) => {
      const [, reason] = /(Postgres did not start: .*)/.exec(String(cause)) ?? [];
      throw new Error(`The restored database is not usable. ${reason ?? String(cause)}`, { cause });
    });
    try {
      const password = encodeURIComponent(secrets.database_password);
      return await work(`postgres://atelier:${password}@127.0.0.1:${program.ports.main}/atelier`);
    } finally {
      await program.stop();
    }
  } finally {
    await rm(logs, { recursive: true, force: true });
  }
}

/** Restores a dump into the empty database of DATABASE_URL, and the images into STORAGE_URL. */
async function restoreServices(
  environment: Environment,
  folder: string,
  manifest: Manifest,
  { secrets, erasures }: RestoreFlags,
  remark: Remark,
): Promise<Answer> {
  const connection = await findConnection(environment);
  if (connection.home !== null) {
    throw new Error("The backup contains a dump. Set DATABASE_URL to an empty database.");
  }
  if (secrets !== undefined) await assertEmpty(secrets);
  await using records = await openErasures(erasures ?? null, {
    hasStorage: connection.storageUrl !== null,
  });
  const database = createDatabase({
    url: connection.databaseUrl,
    poolSize: 1,
    applicationName: "atelier-restore",
  });
  try {
    const [found] = await database.query<{ tables: bigint; version: number }>(
      `SELECT count(*) AS tables, current_setting('server_version_num')::int / 10000 AS version
         FROM pg_tables WHERE schemaname = 'public'`,
    );
    if (found === undefined || found.tables > 0n) {
      throw new Error("The database of DATABASE_URL is not empty, and a restore replaces nothing.");
    }
    await verifyFiles(folder, manifest, remark);
    remark("Restoring the database");
    const file = join(folder, "database.dump");
    await restoreDatabase(connection.databaseUrl, { file, major: found.version });
  } finally {
    await database.close();
  }
  if (secrets !== undefined) await placeSecrets(folder, secrets, 0o644);
  const parts = { backup: { folder, manifest }, erasures: records };
  return await adoptRestored(connection, parts, remark);
}
