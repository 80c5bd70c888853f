import type { Database } from "@atelier/database";
import { settleEach } from "@atelier/kit";
import type { GenerationError } from "@atelier/schemas";
import { findOverdue } from "../claims/recover.ts";
import { failGeneration } from "./fail.ts";

/** The error of a generation that passed its deadline without another one. */
export const passedDeadline: GenerationError = {
  error: "overloaded",
  message:
    "The image was not made before its deadline. Nothing was charged; please try again later.",
  details: null,
};

/** The largest `int` of Postgres. */
const all = 2 ** 31 - 1;

/**
 * Fails all unfinished generations past their deadline, at no cost, while no other program uses the
 * database. Workers do the same while they run, except for what is locked.
 *
 * @returns their number.
 * @throws AggregateError after all others have failed, with the errors of those that could not be ended.
 */
export async function failAllOverdue(database: Database): Promise<number> {
  let failed = 0;
  await settleEach(
    await findOverdue(database, { limit: all }),
    async ({ generationId, lastError }) => {
      const error = lastError ?? passedDeadline;
      if (await failGeneration(database, { generationId, claim: null, error })) failed++;
      else throw new Error(`generation ${generationId} is locked by another program`);
    },
  );
  return failed;
}
