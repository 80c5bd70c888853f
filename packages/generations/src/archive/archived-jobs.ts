import type { Sql } from "@atelier/database";
import { AppError } from "@atelier/schemas";
import type { Owner } from "../jobs/find.ts";

/**
 * Tells callers that see all jobs of the account that a job they can't find is archived.
 *
 * @throws AppError `job_not_found`, with what to do.
 */
export async function assertNotArchived(
  sql: Sql,
  { accountId, keyId, generationId }: Owner & { readonly generationId: string },
): Promise<void> {
  if (keyId != null) return;
  const [archived] = await sql.query<{ month: string }>(
    `SELECT month FROM archive_part
      WHERE $1::uuid BETWEEN first_id AND last_id
        AND EXISTS (SELECT FROM hold WHERE generation_id = $1 AND account_id = $2)
      LIMIT 1`,
    [generationId, accountId],
  );
  if (archived === undefined) return;
  throw new AppError(
    "job_not_found",
    "This job was archived, and its images are deleted. Export the account, or ask the operator of the service for its record.",
    { details: { archived_month: archived.month } },
  );
}
