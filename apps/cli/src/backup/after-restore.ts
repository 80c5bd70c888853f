import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { recordUnlessRefused } from "@atelier/audit";
import type { Environment } from "@atelier/configuration";
import { applyMigrations, createDatabase, type Database } from "@atelier/database";
import { adoptRestoredEvents } from "@atelier/events";
import { cancelAllRequested, failAllOverdue } from "@atelier/generations/endings";
import {
  repeatErasures,
  type ErasureRecords,
  type RepeatedErasures,
} from "@atelier/generations/erase";
import { endAllShares } from "@atelier/generations/library";
import { findReferencedFiles } from "@atelier/generations/retention";
import { settleEach } from "@atelier/kit";
import { emptyQueues } from "@atelier/queue";
import type { Answer } from "../answer.ts";
import { audit } from "../audit.ts";
import { findConnection, type Connection } from "../connection.ts";
import { createStorage } from "@atelier/storage";
import { asJson, describeErasures, exitCodeOfErasures } from "../erase.ts";
import { exitCodes } from "../exit-codes.ts";
import { openRecords } from "../open-records.ts";
import { readActor } from "../operators/record-commands.ts";
import { openStored } from "../open-stored.ts";
import type { Remark } from "../remark.ts";
import { countFiles } from "./count-files.ts";
import {
  readFileList,
  readManifest,
  verifyFiles,
  type BackupFile,
  type Manifest,
} from "./manifest.ts";

/** Parts of a restore, beside the database. */
interface RestoredParts {
  /** Null if the storage has the images. */
  readonly backup: {
    /** Folder of the backup. */
    readonly folder: string;
    readonly manifest: Pick<Manifest, "images" | "created_at" | "operator_log">;
  } | null;
  /** Records of erasures that the storage may not have; null for none. */
  readonly erasures: ErasureRecords | null;
}

/**
 * Completes the restore of a database that was restored by any means: applies migrations, prepares
 * events, ends shares, empties the queue, restores the images of a backup, ends jobs that are overdue or to be
 * cancelled, repeats erasures, and audits. Fails if the audit does or an account is not erased yet. Safe to repeat.
 * Without a storage, it says that images and erasures are left out.
 *
 * @param backupFolder a backup with images; null if the storage has them.
 * @param erasures another place with records of erasures; see `openRecords`. Null for none.
 * @throws Error while APIs or workers are connected.
 */
export async function afterRestore(
  environment: Environment,
  backupFolder: string | null,
  erasures: string | null,
  remark: Remark,
): Promise<Answer> {
  const connection = await findConnection(environment);
  await using records = await openErasures(erasures, {
    hasStorage: connection.storageUrl !== null,
  });
  if (backupFolder === null) {
    return await adoptRestored(connection, { backup: null, erasures: records }, remark);
  }
  const manifest = await readManifest(backupFolder);
  if (manifest.images !== null) await verifyFiles(backupFolder, manifest, remark);
  const backup = { folder: backupFolder, manifest };
  return await adoptRestored(connection, { backup, erasures: records }, remark);
}

/**
 * Opens the records that `--erasures` names, before a restore changes anything.
 *
 * @param place see `openRecords`; null for none.
 * @throws Error for a place without records, or without a storage to erase in.
 */
export async function openErasures(
  place: string | null,
  { hasStorage }: { readonly hasStorage: boolean },
): Promise<(ErasureRecords & AsyncDisposable) | null> {
  if (place === null) return null;
  if (!hasStorage) {
    throw new Error("STORAGE_URL is required to erase accounts. Set it to the value of the API.");
  }
  return openRecords(place);
}

/** The steps of `afterRestore` on a connection. */
export async function adoptRestored(
  connection: Pick<
    Connection,
    "databaseUrl" | "queueUrl" | "storageUrl" | "operatorLogKey" | "oldOperatorLogKeys"
  >,
  { backup, erasures }: RestoredParts,
  remark: Remark,
): Promise<Answer> {
  const { databaseUrl, queueUrl, storageUrl, operatorLogKey } = connection;
  const hasImages = backup !== null && backup.manifest.images !== null;
  let repeated = null as RepeatedErasures | null;
  let unrecorded: string | null;
  let endedShares: number;
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
    unrecorded = await recordUnlessRefused(database, operatorLogKey, {
      actor: readActor(),
      action: "restore",
      targetId: null,
      fields: ["database"],
      requestId: null,
      personal: null,
    });
    endedShares = await endAllShares(database);
    await adoptRestoredEvents(database);
    remark("Emptying the queue");
    await emptyQueues(queueUrl);
    if (hasImages && storageUrl !== null) {
      remark("Restoring images");
      const count = countFiles("Restoring images", remark);
      const left = await restoreImages(database, backup.folder, storageUrl, count);
      if (left > 0) remark(`${left} files are not restored: the database does not refer to them`);
    }
    const repeat = async () => {
      if (storageUrl === null) return;
      remark("Repeating erasures");
      const storage = await openStored(storageUrl);
      try {
        repeated = await repeatErasures(
          database,
          storage,
          { elsewhere: erasures, hasWorkers: false },
          remark,
        );
      } finally {
        await storage.close();
      }
    };
    const end = () => endJobs(database, remark);
    await settleEach([end, repeat], (step) => step());
  } finally {
    await database.close();
  }
  remark("Auditing");
  const environment = {
    DATABASE_URL: databaseUrl,
    ...(storageUrl === null ? {} : { STORAGE_URL: storageUrl }),
    ...(operatorLogKey === null ? {} : { OPERATOR_LOG_KEY: operatorLogKey }),
    OLD_OPERATOR_LOG_KEYS: connection.oldOperatorLogKeys.join(","),
  };
  const head = backup?.manifest.operator_log ?? null;
  const heads = head === null ? [] : [{ number: BigInt(head.number), digest: head.digest }];
  const options = { hashShare: 1, isRepairing: false, heads };
  const answer = await audit(environment, options, remark);
  // The audit passes for a day while an erasure is in progress; this command does not.
  const auditCode = answer.exitCode ?? exitCodes.done;
  const erasureCode = repeated === null ? exitCodes.done : exitCodeOfErasures(repeated);
  const createdAt = backup !== null && erasures === null ? backup.manifest.created_at : null;
  return {
    ...answer,
    exitCode: auditCode === exitCodes.done ? erasureCode : auditCode,
    json: {
      ...(answer.json as object),
      erasures: repeated === null ? null : asJson(repeated),
      erasures_unknown_since: createdAt,
    },
    text: [
      answer.text,
      ...(unrecorded === null ? [] : [unrecorded]),
      ...(endedShares === 0
        ? []
        : [`${endedShares} shares were ended, since some may have been stopped after the backup.`]),
      ...(hasImages && storageUrl === null
        ? [
            `The images of the backup were not restored, because STORAGE_URL is not set. Set it, and run after-restore ${backup.folder}.`,
          ]
        : []),
      ...(repeated === null
        ? [
            "Erasures were not repeated, because STORAGE_URL is not set. Set it, and run accounts repeat-erasures --yes.",
          ]
        : [describeErasures(repeated)]),
      ...(createdAt === null
        ? []
        : [
            `An account that was erased after ${createdAt} is back, unless the storage has the record of it. ` +
              "If accounts were erased since, run accounts repeat-erasures --yes with --erasures and the old ATELIER_HOME, a newer backup or the old STORAGE_URL.",
          ]),
    ].join("\n"),
  };
}

/** Ends the jobs that workers end while they run. */
async function endJobs(database: Database, remark: Remark): Promise<void> {
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
    `${programs.map(({ name }) => name).join(" and ")} ${programs.length > 1 ? "are" : "is"} connected to the database. ` +
      "Stop all APIs and workers, then run this again.",
  );
}

function keyOf(path: string): string {
  return path.slice("images/".length);
}

/** Files whose references are read at once. */
const pageSize = 1_000;

/** Restores the files that the database refers to. @returns the number of others. */
async function restoreImages(
  database: Database,
  folder: string,
  storageUrl: string,
  count: (bytes: number) => void,
): Promise<number> {
  let left = 0;
  let page: BackupFile[] = [];
  const storage = await createStorage({
    url: storageUrl,
    publicUrl: "http://localhost",
    // Unlike `openStored`, it may be new. Nothing is signed.
    signingSecret: "x".repeat(32),
  });
  try {
    const restorePage = async () => {
      const referenced = await findReferencedFiles(
        database,
        page.map(({ path }) => keyOf(path)),
      );
      for (const { path, size, contentType } of page) {
        if (contentType === undefined || !referenced.has(keyOf(path))) continue;
        await storage.put(keyOf(path), await readFile(join(folder, path)), { contentType });
        count(size);
      }
      left += page.length - referenced.size;
      page = [];
    };
    for await (const file of readFileList(folder)) {
      // Files of the database and secrets have no type.
      if (file.contentType === undefined) continue;
      page.push(file);
      if (page.length === pageSize) await restorePage();
    }
    await restorePage();
    return left;
  } finally {
    await storage.close();
  }
}
