import { createHash } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { homeFiles, type Environment } from "@atelier/configuration";
import { readHead } from "@atelier/audit";
import { createDatabase, findDataFolder, type Sql } from "@atelier/database";
import type { Storage } from "@atelier/storage";
import packageJson from "../../package.json" with { type: "json" };
import type { Answer } from "../answer.ts";
import { findConnection } from "../connection.ts";
import { recordRun } from "../maintenance.ts";
import { openStored } from "../open-stored.ts";
import { countFiles } from "./count-files.ts";
import { copyDataFolder } from "./copy-data-folder.ts";
import { copyHashed, createFileList, writeSynced, type FileList } from "./manifest.ts";
import { dumpDatabase } from "./postgres-tools.ts";

export interface BackupFlags {
  /** Include the images of an S3 bucket. */
  readonly images?: true;
  /** Folder with the files of secrets, for an installation without ATELIER_HOME. */
  readonly secrets?: string;
}

/**
 * Backs up a running installation into a new folder: database, images, secrets, and a manifest with
 * their hashes. The service serves meanwhile. A backup without its manifest is unfinished.
 *
 * @throws Error when the folder is not empty, or when the database can neither be copied nor dumped.
 */
export async function backup(
  environment: Environment,
  folder: string,
  flags: BackupFlags,
  remark: (line: string) => void,
): Promise<Answer> {
  const { databaseUrl, storageUrl, home } = await findConnection(environment);
  await makeEmptyFolder(folder);
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-backup",
    statementTimeoutMs: 600_000,
  });
  await using files = await createFileList(folder);
  const counting = (step: string): Pick<FileList, "add"> => {
    remark(step);
    const count = countFiles(step, remark);
    return {
      async add(file) {
        await files.add(file);
        count(file.size);
      },
    };
  };
  try {
    const server = await describeServer(database);
    const isIncluded =
      storageUrl !== null && (storageUrl.startsWith("file:") || flags.images === true);
    const storage = isIncluded ? await openStored(storageUrl) : null;
    const images = storage === null ? null : { storage, copied: new Set<string>(), bytes: 0 };
    try {
      if (images !== null) {
        await copyImages(images, folder, counting("Copying images"));
      }
      const createdAt = new Date().toISOString();
      const head = await readHead(database);
      const postgres = await copyDatabase(
        databaseUrl,
        server.version,
        folder,
        counting("Copying the database"),
      );
      if (images !== null) {
        // Those that were made while the database was copied.
        await copyImages(images, folder, counting("Copying newer images"));
      }
      remark("Copying secrets");
      const secrets = await copySecrets({ home, secretsFolder: flags.secrets }, folder, files);
      await files.finish({
        version: packageJson.version,
        created_at: createdAt,
        installation: home === null ? "services" : "home",
        postgres: { ...server, ...postgres },
        secrets,
        images: images === null ? null : { count: images.copied.size, bytes: images.bytes },
        operator_log: head && { number: String(head.number), digest: head.digest },
      });
      return present(folder, {
        unrecorded: await recordRun(database, "backup", 0),
        method: postgres.method,
        images: images === null ? null : images.copied.size,
        secrets,
      });
    } finally {
      await storage?.close();
    }
  } finally {
    await database.close();
  }
}

/** Records a backup that another program has made, such as that of a managed Postgres. */
export async function recordBackup(database: Sql): Promise<Answer> {
  const problem = await recordRun(database, "backup", 0);
  if (problem !== null) throw new Error(problem);
  return { json: { recorded: true }, text: "Recorded that a backup is complete." };
}

async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length === 0) return;
  throw new Error(`${folder} is not empty. Name a new folder for each backup.`);
}

async function describeServer(sql: Sql): Promise<{ version: number; migrations: string[] }> {
  const [server] = await sql.query<{ version: number; migrations: string[] }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version,
            ARRAY(SELECT migration_name::text FROM _prisma_migrations
                   WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1) AS migrations`,
  );
  return server ?? { version: 0, migrations: [] };
}

/** Copies the files of the server if they are on this machine; otherwise dumps the database. */
async function copyDatabase(
  databaseUrl: string,
  major: number,
  folder: string,
  files: Pick<FileList, "add">,
): Promise<{ method: "files" | "dump"; uid: number; gid: number; folders: string[] }> {
  const source = await findDataFolder(databaseUrl);
  if (source === null) {
    const path = "database.dump";
    const temporary = join(folder, `${path}.unfinished`);
    await dumpDatabase(databaseUrl, { file: temporary, major });
    await files.add({ path, ...(await copyHashed(temporary, join(folder, path))) });
    await rm(temporary);
    return { method: "dump", uid: 0, gid: 0, folders: [] };
  }
  const target = join(folder, "postgres");
  const copied = await copyDataFolder(databaseUrl, { source, target }, (file) =>
    files.add({ ...file, path: `postgres/${file.path}` }),
  );
  return { method: "files", ...copied, folders: [...copied.folders] };
}

interface CopiedImages {
  readonly storage: Storage;
  readonly copied: Set<string>;
  bytes: number;
}

/** Copies the objects of the storage that were not copied before. */
async function copyImages(
  images: CopiedImages,
  folder: string,
  files: Pick<FileList, "add">,
): Promise<void> {
  for await (const { key } of images.storage.list("")) {
    if (images.copied.has(key)) continue;
    const object = await images.storage.get(key);
    // Its retention has just ended.
    if (object === null) continue;
    const path = `images/${key}`;
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    await writeSynced(join(folder, path), object.bytes);
    await files.add({
      path,
      size: object.bytes.byteLength,
      sha256: createHash("sha256").update(object.bytes).digest("hex"),
      contentType: object.contentType,
    });
    images.copied.add(key);
    images.bytes += object.bytes.byteLength;
  }
}

/** Files of ATELIER_HOME that a restored installation needs. */
function listHomeFiles(home: string): readonly string[] {
  const { secrets, demoAccount } = homeFiles(home);
  const certificates = ["chain.pem", "private-key.pem", "trust-anchors.pem"];
  return [secrets, demoAccount, ...certificates.map((name) => join(home, "certificates", name))];
}

/** Copies the files with secrets, and returns their names. */
async function copySecrets(
  from: { readonly home: string | null; readonly secretsFolder: string | undefined },
  folder: string,
  files: FileList,
): Promise<string[]> {
  const { home, secretsFolder } = from;
  const sources =
    secretsFolder !== undefined
      ? (await readdir(secretsFolder)).map((name) => ({ name, path: join(secretsFolder, name) }))
      : home !== null
        ? listHomeFiles(home).map((path) => ({ name: path.slice(home.length + 1), path }))
        : [];
  const copied: string[] = [];
  for (const { name, path } of sources) {
    const target = `secrets/${name}`;
    await mkdir(dirname(join(folder, target)), { recursive: true, mode: 0o700 });
    const found = await copyHashed(path, join(folder, target)).catch((error: unknown) => {
      // An installation without a demo account, for example.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    });
    if (found === null) continue;
    await files.add({ path: target, ...found });
    copied.push(name);
  }
  return copied;
}

function present(
  folder: string,
  found: {
    readonly method: "files" | "dump";
    readonly images: number | null;
    readonly secrets: readonly string[];
    /** Why metrics do not show it; null if they do. */
    readonly unrecorded: string | null;
  },
): Answer {
  const { method, images, secrets, unrecorded } = found;
  const database = method === "files" ? "with the files of Postgres" : "with a dump";
  const remarks = [
    ...(unrecorded === null ? [] : [unrecorded]),
    ...(images === null ? ["Images were not included: add --images to include those of S3."] : []),
    ...(secrets.length === 0
      ? ["Secrets were not included: keep them yourself, or add --secrets <folder>."]
      : [`It contains secrets (${secrets.join(", ")}): keep it as safe as the installation.`]),
  ];
  return {
    json: { folder, method, images, secrets },
    text: [`Backup complete in ${folder}, ${database} and ${images ?? 0} images.`, ...remarks].join(
      "\n",
    ),
  };
}
