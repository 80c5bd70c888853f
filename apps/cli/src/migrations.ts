import { recordUnlessRefused } from "@atelier/audit";
import type { Environment } from "@atelier/configuration";
import { applyMigrations, createDatabase, setRoleDefaults } from "@atelier/database";
import type { Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";
import { readActor } from "./operators/record-commands.ts";

/** Applies database migrations, and records those that it applied. Run once before a new version starts. */
export async function migrate(
  environment: Environment,
  remark: (line: string) => void,
): Promise<Answer> {
  const { databaseUrl, isPooled, operatorLogKey } = await findConnection(environment);
  const applied = await applyMigrations(databaseUrl, { onProgress: remark });
  if (isPooled) await setRoleDefaults(databaseUrl);
  if (applied.length === 0) return { json: { applied }, text: "The database is up to date." };
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-migrate",
  });
  try {
    const unrecorded = await recordUnlessRefused(database, operatorLogKey, {
      actor: readActor(),
      action: "migrate",
      targetId: null,
      fields: ["schema"],
      requestId: null,
      personal: null,
    });
    const text = [...applied, ...(unrecorded === null ? [] : [unrecorded])].join("\n");
    return { json: { applied }, text };
  } finally {
    await database.close();
  }
}
