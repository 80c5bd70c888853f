import type { Environment } from "@atelier/configuration";
import { applyMigrations } from "@atelier/database";
import type { Answer } from "./answer.ts";
import { findConnection } from "./connection.ts";

/** Brings the database up to date: once before each version that is started on it. */
export async function migrate(environment: Environment): Promise<Answer> {
  const { databaseUrl } = await findConnection(environment);
  const applied = await applyMigrations(databaseUrl);
  const text = applied.length === 0 ? "The database is up to date." : applied.join("\n");
  return { json: { applied }, text };
}
