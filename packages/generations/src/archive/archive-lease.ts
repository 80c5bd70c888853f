import { newId, type Sql } from "@atelier/database";
import { takeLease } from "@atelier/process";

const leaseMs = 60_000;

/** Another process works on the archive. */
export class ArchiveBusyError extends Error {
  override readonly name = "ArchiveBusyError";
}

/**
 * Runs work on the archive, which one process at a time does.
 *
 * @param work receives a function to be called between its steps, which throws when another process took over.
 * @throws ArchiveBusyError while another process has the lease, or died less than a minute ago.
 */
export async function withArchiveLease<Result>(
  sql: Sql,
  work: (proceed: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const { signal: stopped } = new AbortController();
  const lease = await takeLease(sql, { task: "archive", holder: newId(), forMs: leaseMs, stopped });
  if (lease === null) {
    throw new ArchiveBusyError(
      "Another process works on the archive, or was killed less than a minute ago. Run this again later.",
    );
  }
  try {
    return await work(async () => {
      if (!(await lease.extend())) throw new ArchiveBusyError("Another process took over.");
    });
  } finally {
    // It expires by itself when the database is lost.
    await lease.keepFor(0).catch(() => undefined);
  }
}
