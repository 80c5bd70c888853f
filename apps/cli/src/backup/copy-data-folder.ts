import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withBaseBackup } from "@atelier/database";
import { copyHashed, writeSynced, type BackupFile } from "./manifest.ts";

/** Folders whose content a server makes again at its start. */
const emptiedFolders: ReadonlySet<string> = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const skippedFiles =
  /^(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map(?:\.old)?|current_logfiles|pg_internal\.init.*|pgsql_tmp.*)$/;

/** The copied data folder of a server. */
interface CopiedData {
  readonly folders: readonly string[];
  readonly uid: number;
  readonly gid: number;
}

/**
 * Copies the data folder of a running server, with the part of its log that makes the copy consistent.
 *
 * @param target folder for the copy, created.
 */
export async function copyDataFolder(
  databaseUrl: string,
  { source, target }: { readonly source: string; readonly target: string },
  onFile: (file: BackupFile) => Promise<void>,
): Promise<CopiedData> {
  const folders: string[] = [];

  async function makeFolder(path: string): Promise<void> {
    await mkdir(join(target, path), { mode: 0o700 });
    folders.push(path);
  }
  async function copyFile(path: string): Promise<void> {
    const copied = await copyHashed(join(source, path), join(target, path)).catch(nullIfMissing);
    if (copied !== null) await onFile({ path, ...copied });
  }
  async function copyFolder(path: string): Promise<void> {
    await makeFolder(path);
    for (const entry of await listFolder(join(source, path))) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        // Postgres does not make those of its log.
        if (path === "pg_wal") await makeFolder(inner);
        else if (!emptiedFolders.has(path)) await copyFolder(inner);
      } else if (!emptiedFolders.has(path) && !skippedFiles.test(entry.name)) {
        if (inner === "global/pg_control") await untilStable(join(source, inner));
        await copyFile(inner);
      }
    }
  }

  await withBaseBackup(databaseUrl, {
    copyFiles: () => copyFolder(""),
    async copyLog({ label, firstFile, lastFile }) {
      const names = await readdir(join(source, "pg_wal"));
      const needed = names.filter(
        (name) =>
          /^[0-9A-F]{8}\.history$/.test(name) ||
          (/^[0-9A-F]{24}$/.test(name) && name >= firstFile && name <= lastFile),
      );
      for (const name of needed.sort()) await copyFile(`pg_wal/${name}`);
      const bytes = Buffer.from(label);
      await writeSynced(join(target, "backup_label"), bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      await onFile({ path: "backup_label", size: bytes.byteLength, sha256 });
    },
  });
  const { uid, gid } = await stat(source);
  return { folders, uid, gid };
}

/** A table that is dropped while it is copied is not part of the consistent copy. */
function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  throw error;
}

async function listFolder(path: string): Promise<readonly Dirent[]> {
  return (await readdir(path, { withFileTypes: true }).catch(nullIfMissing)) ?? [];
}

/** Waits until two reads agree: the server replaces the control file in place, at each checkpoint. */
async function untilStable(path: string): Promise<void> {
  for (let before = await readFile(path); ;) {
    await delay(20);
    const now = await readFile(path);
    if (now.equals(before)) return;
    before = now;
  }
}
