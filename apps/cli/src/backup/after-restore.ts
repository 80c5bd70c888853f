import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@atelier/configuration";
import { applyMigrations, createDatabase, type Database } from "@atelier/database";
import { adoptRestoredEvents } from "@atelier/events";
import { cancelAllRequested, failAllOverdue } from "@atelier/generations";
import { settleEach } from "@atelier/kit";
import { emptyQueues } from "@atelier/queue";
import { createStorage } from "@atelier/storage";
import type { Answer } from "../answer.ts";
import { audit } from "../audit.ts";
import { findConnection, type Connection } from "../connection.ts";
import { readFileList, readManifest, verifyFiles } from "./manifest.ts";

/** The images of a backup. */
interface RestoredImages {
  /** Folder of the backup. */
  readonly folder: string;
  /** Whether it contains images. */
  readonly images: boolean;
}

/**
 * Completes the restore of a database that was restored by any means: applies migrations, prepares
 * events, empties the queue, restores the images of a backup, ends jobs that are overdue or to be
 * cancelled, and audits. Safe to repeat.
 *
 * @param backupFolder a backup with images; null if the storage has them.
 * @throws Error while APIs or workers are connected.
 */
export async function afterRestore(
  environment: Environment,
  backupFolder: string | null,
  remark: (line: string) => void,
): Promise<Answer> {
  const connection = await findConnection(environment);
  if (backupFolder === null) return adoptRestored(connection, null, remark);
  const manifest = await readManifest(backupFolder);
  if (manifest.images !== null) {
    remark("Verifying");
    await verifyFiles(backupFolder, manifest);
  }
  const images = { folder: backupFolder, images: manifest.images !== null };
  return adoptRestored(connection, images, remark);
}

/** The steps of `afterRestore` on a connection. */
export async function adoptRestored(
  connection: Pick<Connection, "databaseUrl" | "queueUrl" | "storageUrl">,
  backup: RestoredImages | null,
  remark: (line: string) => void,
): Promise<Answer> {
  const { databaseUrl, queueUrl, storageUrl } = connection;
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-restore",
    statementTimeoutMs: 600_000,
  });
  try {
    await assertStopped(database);
    remark("Migrating");
    await applyMigrations(databaseUrl, { onProgress: remark });
    await adoptRestoredEvents(database);
    remark("Emptying the queue");
    await emptyQueues(queueUrl);
    if (backup?.images === true && storageUrl !== null) {
      remark("Restoring images");
      await restoreImages(backup.folder, storageUrl);
    }
    await endJobs(database, remark);
  } finally {
    await database.close();
  }
  remark("Auditing");
  const environment = {
    DATABASE_URL: databaseUrl,
    ...(storageUrl === null ? {} : { STORAGE_URL: storageUrl }),
  };
  return audit(environment, { hashShare: 1, isRepairing: false }, () => undefined);
}

/** Ends the jobs that workers end while they run. */
async function endJobs(database: Database, remark: (line: string) => void): Promise<void> {
  const cancel = async () => {
    const cancelled = await cancelAllRequested(database);
    if (cancelled > 0) remark(`${cancelled} jobs were cancelled as requested`);
  };
  const fail = async () => {
    const failed = await failAllOverdue(database);
    if (failed > 0) remark(`${failed} jobs have passed their deadline, and were refunded`);
  };
  await settleEach([cancel, fail], (step) => step());
}

/** @throws Error while programs use the database: they would see events and queues change. */
async function assertStopped(database: Database): Promise<void> {
  const programs = await database.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name IN ('atelier-api', 'atelier-worker')
      ORDER BY 1`,
  );
  if (programs.length === 0) return;
  throw new Error(
    `${programs.map(({ name }) => name).join(" and ")} is connected to the database. ` +
      "Stop all APIs and workers, then run this again.",
  );
}

async function restoreImages(folder: string, storageUrl: string): Promise<void> {
  const storage = await createStorage({
    url: storageUrl,
    publicUrl: "http://localhost",
    // Nothing is signed.
    signingSecret: "x".repeat(32),
  });
  try {
    for await (const { path, contentType } of readFileList(folder)) {
      if (contentType === undefined) continue;
      const bytes = await readFile(join(folder, path));
      await storage.put(path.slice("images/".length), bytes, { contentType });
    }
  } finally {
    await storage.close();
  }
}
