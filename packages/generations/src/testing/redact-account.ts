import type { Database } from "@atelier/database";
import { listAccountPage, redactJobs } from "../retention/redact.ts";

/** Redacts up to 1,000 final generations of an account. */
export async function redactAccount(database: Database, accountId: string): Promise<void> {
  const page = await listAccountPage(database, { accountId, after: null, limit: 1_000 });
  await redactJobs(database, page.generationIds);
}
