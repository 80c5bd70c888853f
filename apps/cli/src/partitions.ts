import type { Environment } from "@atelier/configuration";
import { createDatabase, type Database } from "@atelier/database";
import {
  archivePartition,
  createPartitions,
  readArchived,
  readPartitions,
  timeOf,
} from "@atelier/generations";
import { table, type Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";
import { megabytes } from "./megabytes.ts";
import { openStored } from "./open-stored.ts";

/** Lists the months of the partitioned tables, and those that are archived. */
export async function listPartitions(database: Database): Promise<Answer> {
  const partitions = (await readPartitions(database)).map(({ name, toId, jobs, bytes }) => ({
    name,
    state: "attached",
    until: new Date(timeOf(toId)).toISOString(),
    jobs: Math.max(0, jobs),
    bytes,
  }));
  const archived = (await readArchived(database)).map(({ name, droppedAt, files }) => ({
    name,
    state: droppedAt === null ? "detached" : "archived",
    until: null,
    jobs: files.reduce((sum, file) => sum + (file.table === "generation" ? file.rows : 0), 0),
    bytes: 0,
  }));
  const all = [...archived, ...partitions];
  return {
    json: all,
    text: table(
      ["PARTITION", "STATE", "UNTIL", "JOBS", "SIZE"],
      all.map(({ name, state, until, jobs, bytes }) => [
        name,
        state,
        until?.slice(0, 10) ?? "",
        String(jobs),
        megabytes(bytes),
      ]),
    ),
  };
}

/** Creates the partitions of the coming months, as workers do. */
export async function createAhead(database: Database): Promise<Answer> {
  const created = await createPartitions(database);
  return { json: { created }, text: created.join("\n") || "All partitions exist." };
}

/** Long enough for the rows of a month. */
const statementTimeoutMs = 600_000;

/** Moves a month to the storage. */
export async function archiveMonth(
  environment: Environment,
  name: string,
  remark: (line: string) => void,
): Promise<Answer> {
  const { databaseUrl, storageUrl } = await findConnection(environment);
  if (storageUrl === null) {
    throw new Error("STORAGE_URL is required for the archive. Set it to the value of the API.");
  }
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-archive",
    statementTimeoutMs,
  });
  try {
    const storage = await openStored(storageUrl);
    try {
      const files = await archivePartition(database, storage, name, remark);
      const rows = files.reduce((sum, file) => sum + file.rows, 0);
      return {
        json: { name, files },
        text: `${name}: ${rows} rows are in ${files.length} files of the storage.`,
      };
    } finally {
      await storage.close();
    }
  } finally {
    await database.close();
  }
}
