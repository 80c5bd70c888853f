import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import { countFiles } from "./count-files.ts";

/** Version of the layout of a backup. */
const format = 1;

/** A path that stays inside of the folder that it is joined to. A backup may come from anybody. */
const innerPath = z
  .string()
  .max(4_096)
  .refine((path) => !/[\\\p{Cc}]/u.test(path) && path.split("/").every(isName), {
    error: "must be a path inside of the backup",
  });

function isName(part: string): boolean {
  return part !== "" && part !== "." && part !== "..";
}

const manifestShape = z.object({
  format: z.literal(format, {
    error: `was made by another version of Atelier; this one reads format ${format}`,
  }),
  /** Version of Atelier that made it. */
  version: z.string(),
  /** Before the database was copied: it has everything of earlier times. */
  created_at: z.iso.datetime(),
  /** A folder of npm start, or the parts of another installation. */
  installation: z.enum(["home", "services"]),
  postgres: z.object({
    /** The data folder of the server with its log, or a dump of one database. */
    method: z.enum(["files", "dump"]),
    /** Major version. */
    version: z.int(),
    /** Applied migrations. */
    migrations: z.array(z.string()),
    /** Owner of the data folder. */
    uid: z.int(),
    gid: z.int(),
    /** Folders of the data folder, itself (an empty text) and empty ones too. */
    folders: z.array(z.union([z.literal(""), innerPath])),
  }),
  /** Names of the files with secrets. */
  secrets: z.array(innerPath),
  /** Null if the images were not included. */
  images: z.object({ count: z.int(), bytes: z.int() }).nullable(),
  /** Last line of the operator log before the database was copied; null for an empty log. */
  operator_log: z
    .object({ number: z.string().regex(/^[1-9]\d{0,17}$/), digest: z.string() })
    .nullable()
    .optional(),
  /** SHA-256 of the list of files. */
  files_sha256: z.string(),
});

export type Manifest = z.infer<typeof manifestShape>;

const backupFile = z.object({
  /** Relative to the folder of the backup. */
  path: innerPath.regex(/^(?:(?:postgres|secrets|images)\/|database\.dump$)/, {
    error: "must be in postgres, secrets or images",
  }),
  size: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of an image. */
  contentType: z.string().exactOptional(),
});

/** A file of a backup, as a line of `files.jsonl`. */
export type BackupFile = Readonly<z.infer<typeof backupFile>>;

const manifestName = "manifest.json";
const listName = "files.jsonl";

/** The list of files of a backup that is being made. */
export interface FileList extends AsyncDisposable {
  add(file: BackupFile): Promise<void>;
  /** Completes the backup: it is valid once its manifest exists. */
  finish(manifest: Omit<Manifest, "format" | "files_sha256">): Promise<void>;
}

/** Begins the list of files of a new backup. */
export async function createFileList(folder: string): Promise<FileList> {
  const list = await open(join(folder, listName), "wx", 0o600);
  const hash = createHash("sha256");
  return {
    async add(file) {
      const line = `${JSON.stringify(file)}\n`;
      hash.update(line);
      await list.write(line);
    },
    async finish(manifest) {
      await list.sync();
      const complete: Manifest = { format, ...manifest, files_sha256: hash.digest("hex") };
      await writeSynced(
        join(folder, manifestName),
        Buffer.from(`${JSON.stringify(complete, null, 2)}\n`),
      );
    },
    [Symbol.asyncDispose]: () => list.close(),
  };
}

/**
 * Reads the manifest of a backup.
 *
 * @throws Error for a folder without one, which is no backup or an unfinished one.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), "utf8").catch((cause: unknown) => {
    throw new Error(
      `${folder} is not a complete backup: it has no ${manifestName}. Use another backup.`,
      { cause },
    );
  });
  const parsed = manifestShape.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${join(folder, manifestName)}: ${issue?.path.join(".")} ${issue?.message}`);
}

/**
 * Reads the list of files, line by line.
 *
 * @throws Error naming the first line that is not a file inside of the backup.
 */
export async function* readFileList(folder: string): AsyncGenerator<BackupFile> {
  const lines = createInterface({ input: createReadStream(join(folder, listName)) });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const parsed = backupFile.safeParse(parseJson(line));
    if (parsed.success) {
      yield parsed.data;
      continue;
    }
    const [issue] = parsed.error.issues;
    throw new Error(
      `${join(folder, listName)}, line ${number}: ${issue?.path.join(".")} ${issue?.message}. Use another backup.`,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Compares every file of a backup with its size and hash, before anything is restored.
 *
 * @throws Error naming the first file that is missing or damaged.
 */
export async function verifyFiles(
  folder: string,
  manifest: Manifest,
  remark: (line: string) => void,
): Promise<void> {
  remark("Verifying");
  const count = countFiles("Verifying", remark);
  if ((await hashFile(join(folder, listName))) !== manifest.files_sha256) {
    throw new Error(`${join(folder, listName)} is damaged. Use another backup.`);
  }
  for await (const { path, size, sha256 } of readFileList(folder)) {
    const file = join(folder, path);
    const found = await stat(file).catch(() => null);
    if (found === null) throw new Error(`${file} is missing. Use another backup.`);
    if (found.size !== size || (await hashFile(file)) !== sha256) {
      throw new Error(`${file} is damaged. Use another backup.`);
    }
    count(size);
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Copies a file for its owner alone, waits until the copy is on disk, and returns its size and hash. */
export async function copyHashed(
  source: string,
  target: string,
): Promise<Pick<BackupFile, "size" | "sha256">> {
  const hash = createHash("sha256");
  let size = 0;
  await using input = await open(source);
  await using file = await open(target, "wx", 0o600);
  for await (const chunk of input.createReadStream({ highWaterMark: 1_048_576 })) {
    const bytes = chunk as Buffer;
    hash.update(bytes);
    size += bytes.byteLength;
    await file.write(bytes);
  }
  await file.sync();
  return { size, sha256: hash.digest("hex") };
}

/** Writes a file for its owner alone, and waits until it is on disk. */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(bytes);
  await file.sync();
}
