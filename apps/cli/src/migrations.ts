import type { Environment } from "@atelier/configuration";
import { applyMigrations, setRoleDefaults } from "@atelier/database";
import type { Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";

/** Applies database migrations. Run once before a new version starts. */
export async function migrate(
  environment: Environment,
  remark: (line: string) => void,
): Promise<Answer> {
  const { databaseUrl, isPooled } = await findConnection(environment);
  const applied = await applyMigrations(databaseUrl, { onProgress: remark });
  if (isPooled) await setRoleDefaults(databaseUrl);
  const text = applied.length === 0 ? "The database is up to date." : applied.join("\n");
  return { json: { applied }, text };
}
