import type { Environment } from "@atelier/configuration";
import { createDatabase, type Database } from "@atelier/database";
import { archiveJobs, readParts, type ArchivePart } from "@atelier/generations/archive";
import { table, type Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";
import { megabytes } from "./megabytes.ts";
import { openStored } from "./open-stored.ts";

/** Moves the jobs of the months before one to the storage. */
export async function archive(
  environment: Environment,
  options: { readonly before: string; readonly withTexts: boolean },
  remark: (line: string) => void,
): Promise<Answer> {
  const { databaseUrl, storageUrl } = await findConnection(environment);
  if (storageUrl === null) {
    throw new Error("STORAGE_URL is required for the archive. Set it to the value of the API.");
  }
  return withDatabase(databaseUrl, async (database) => {
    const storage = await openStored(storageUrl);
    try {
      const { parts, jobs, staying } = await archiveJobs({ database, storage }, options, remark);
      const reasons = Object.entries(staying).map(([reason, count]) => `${count} ${reason}`);
      return {
        json: { before: options.before, parts, jobs, staying },
        text: [
          `${jobs} jobs are archived in ${parts} files.`,
          ...(reasons.length === 0
            ? []
            : [
                `Stay in the database: ${reasons.join(", ")}. See docs/operations.md, "The archive".`,
              ]),
        ].join("\n"),
      };
    } finally {
      await storage.close();
    }
  });
}

/** Lists the parts of the archive. */
export async function listArchive(environment: Environment): Promise<Answer> {
  const { databaseUrl } = await findConnection(environment);
  const parts = await withDatabase(databaseUrl, readParts);
  return {
    json: parts.map((part) => ({
      id: part.id,
      month: part.month,
      state: stateOf(part),
      jobs: part.jobs,
      key: part.file?.key ?? null,
      sha256: part.file?.sha256 ?? null,
      bytes: part.file?.sizeBytes ?? null,
      created_at: part.createdAt.toISOString(),
      completed_at: part.completedAt?.toISOString() ?? null,
    })),
    text:
      parts.length === 0
        ? "Nothing is archived."
        : table(
            ["MONTH", "STATE", "JOBS", "SIZE", "FILE"],
            parts.map((part) => [
              part.month,
              stateOf(part),
              String(part.jobs),
              megabytes(part.file?.sizeBytes ?? 0),
              part.file?.key ?? "",
            ]),
          ),
  };
}

function stateOf({ file, completedAt }: ArchivePart): string {
  if (completedAt !== null) return "complete";
  return file === null ? "writing" : "removing";
}

async function withDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = createDatabase({ url, poolSize: 1, applicationName: "atelier-archive" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
