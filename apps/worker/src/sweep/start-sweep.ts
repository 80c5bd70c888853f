import { forgetMembers } from "@atelier/accounts";
import { readHead } from "@atelier/audit";
import { newId } from "@atelier/database";
import { forgetBatches, forgetBatchUrls, forgetLostParts } from "@atelier/generations/batches";
import { forgetShares } from "@atelier/generations/library";
import { dropOldServers } from "@atelier/generations/servers";
import { startLoop, takeLease, type Loop } from "@atelier/process";
import { filePrefixes } from "@atelier/schemas";
import { sweepAbandonedDossiers } from "./sweep-abandoned-dossiers.ts";
import { sweepDossiers } from "./sweep-dossiers.ts";
import { longestJobMs, sweepExpired } from "./sweep-expired.ts";
import { sweepJobs, type RedactionProgress } from "./sweep-jobs.ts";
import { sweepOrphans } from "./sweep-orphans.ts";
import { sweepUploads } from "./sweep-uploads.ts";
import { emptySweep, type Swept } from "./swept.ts";
import type { SweepDependencies } from "./sweep-dependencies.ts";

interface SweepOptions {
  /** Retention of the images of a job after it is final, in milliseconds. */
  readonly retentionMs: number;
  /** Retention of requests and prompts after the job is final, in milliseconds; null for ever. */
  readonly jobRetentionMs: number | null;
  /** Retention of batches after their end, in milliseconds; null for that of requests. */
  readonly batchRetentionMs: number | null;
  /** Retention of invitations that nobody accepted and of disabled members, in milliseconds. */
  readonly memberRetentionMs: number;
  /** Retention of dossiers, in milliseconds. */
  readonly dossierRetentionMs: number;
  /** Interval between two sweeps of the fleet, in milliseconds. */
  readonly intervalMs: number;
}

const task = "sweep";

/** A sweep that does not extend its lease for this long loses it. */
const leaseMs = 120_000;

/** Uploads take less time: an older file without a row never gets one. */
const settledAfterMs = 3_600_000;

const dayMs = 86_400_000;

/** At an interval of five minutes, workers of a fleet end fewer renders. */
const abandoned = { settledAfterMs, pageSize: 500, maxPages: 100 };

/** Number of failed deletions that are named in the log. */
const maxExamples = 10;

type SweptKind = "image" | "upload" | "staged" | "orphan" | "dossier";

/**
 * Periodically deletes files past their retention. Every worker tries, and one of the fleet holds the
 * lease and sweeps; if it dies, another starts over. After a stop, the sweep ends with its current
 * batch.
 */
export function startSweep(options: SweepOptions, dependencies: SweepDependencies): Loop {
  const { intervalMs } = options;
  const holder = newId();
  const redaction: RedactionProgress = { mark: null };
  const sweep = (stopped: AbortSignal) =>
    sweepWithLease(holder, options, { ...dependencies, redaction }, stopped);
  return startLoop(sweep, {
    // Jitter keeps workers that started together from asking at the same time.
    firstDelayMs: intervalMs * Math.random(),
    delayMs: () => intervalMs,
    onError: (error) => dependencies.logger.warn({ err: error }, "sweep failed, will retry"),
  });
}

/**
 * Runs one sweep, unless another worker is running one or the last one was less than an interval ago.
 * Its parts run in sequence; a failed part does not stop the others.
 *
 * @returns whether this worker held the lease.
 * @throws AggregateError with the errors of the parts.
 */
export async function sweepWithLease(
  holder: string,
  options: SweepOptions,
  dependencies: SweepDependencies,
  stopped: AbortSignal,
): Promise<boolean> {
  const { retentionMs, jobRetentionMs, dossierRetentionMs, intervalMs } = options;
  const batchRetentionMs = options.batchRetentionMs ?? jobRetentionMs;
  const { database, storage, metrics, logger, redaction = { mark: null } } = dependencies;
  const lease = await takeLease(database, { task, holder, forMs: leaseMs, stopped });
  if (lease === null) return false;
  const proceed = () => lease.extend();

  const errors: unknown[] = [];
  const counts: Partial<Record<SweptKind, number>> = {};
  const sweepPart = async (kind: SweptKind, part: () => Promise<Swept>): Promise<void> => {
    if (!lease.isHeld()) return;
    try {
      const { removed, failed } = await part();
      counts[kind] = (counts[kind] ?? 0) + removed;
      metrics.swept(kind, removed);
      metrics.notSwept(kind, failed.length);
      if (failed.length === 0) return;
      const examples = failed.slice(0, maxExamples);
      logger.error({ kind, count: failed.length, examples }, "files could not be removed");
    } catch (error) {
      errors.push(error);
    }
  };

  const sweepOldJobs = async (olderThanMs: number): Promise<number> => {
    if (!lease.isHeld()) return 0;
    try {
      return await sweepJobs(olderThanMs, database, redaction, proceed);
    } catch (error) {
      errors.push(error);
      return 0;
    }
  };

  const repeat = async (batch: () => Promise<number>): Promise<void> => {
    while (lease.isHeld() && (await batch()) > 0) await proceed();
  };

  const keptMs = Math.max(retentionMs, settledAfterMs);
  try {
    await sweepPart("image", () => sweepExpired(retentionMs, dependencies, proceed));
    await sweepPart("upload", () => sweepUploads(dependencies, proceed));
    await sweepPart("staged", () => sweepOrphans("staged", settledAfterMs, dependencies, proceed));
    await sweepPart("orphan", async () => {
      // Stores with lifecycle rules expire files, orphans included, with a granularity of one day. A file is
      // stored up to a longest job before its retention begins, and a job that was accepted at its end may
      // use it as a reference until its own deadline.
      const days = Math.ceil((keptMs + 2 * longestJobMs) / dayMs) + 1;
      const storeDoes = await storage.expireAfterDays(Object.values(filePrefixes), days);
      return storeDoes ? emptySweep : sweepOrphans("renders", keptMs, dependencies, proceed);
    });
    await sweepPart("dossier", () => sweepAbandonedDossiers(abandoned, dependencies, proceed));
    await sweepPart("dossier", () => sweepDossiers(dossierRetentionMs, dependencies, proceed));
    const redactedJobs = jobRetentionMs === null ? 0 : await sweepOldJobs(jobRetentionMs);
    if (batchRetentionMs !== null) {
      const page = { olderThanMs: batchRetentionMs, limit: 10 };
      await repeat(() => forgetBatches(database, page)).catch((error: unknown) =>
        errors.push(error),
      );
    }
    await repeat(() => forgetBatchUrls(database, { limit: 100 })).catch((error: unknown) =>
      errors.push(error),
    );
    await repeat(() => forgetShares(database, { retentionMs, limit: 500 })).catch(
      (error: unknown) => errors.push(error),
    );
    const members = { olderThanMs: options.memberRetentionMs, limit: 100 };
    await repeat(() => forgetMembers(database, members)).catch((error: unknown) =>
      errors.push(error),
    );
    const oldId = newId(Date.now() - settledAfterMs);
    await forgetLostParts(database, oldId).catch((error: unknown) => errors.push(error));
    await dropOldServers(database).catch((error: unknown) => errors.push(error));
    // Somebody with the database alone cannot change it in the log of a process.
    const head = await readHead(database);
    if (head !== null) logger.info({ head: `${head.number}:${head.digest}` }, "operator log");
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
    if (lease.isHeld()) metrics.sweepEnded(true);
    logger.info({ ...counts, redactedJobs }, lease.isHeld() ? "swept" : "sweep stopped");
  } catch (error) {
    metrics.sweepEnded(false);
    throw error;
  } finally {
    // Also after a failure, which is likely to persist for a while. A sweep that was stopped is
    // continued by another worker.
    await lease.keepFor(lease.isHeld() ? intervalMs : leaseMs);
  }
  return true;
}
