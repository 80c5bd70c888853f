import { isValidKey } from "@atelier/accounts";
import type { GenerationPlan } from "@atelier/schemas";

/** SQL conditions on the row of the requesting key: what admission has checked still holds. */
export const isStillPermitted = `${isValidKey("api_key", "clock_timestamp()")}
       AND 'generate' = ANY (scopes) AND (models = '{}' OR :namedModel::text = ANY (models))
       AND (:secretHashes::bytea[] IS NULL OR hash = ANY (:secretHashes)
            OR previous_hash = ANY (:secretHashes) AND previous_expires_at > clock_timestamp())`;

/** The model that the key must permit. */
export function namedModel({ model, namedModel: named = model }: GenerationPlan): string {
  return named;
}

/** SQL: the current day (UTC), by the database's clock. */
export const today = "(now() AT TIME ZONE 'UTC')::date";

/** SQL over `account`: the images that its test keys have requested today. */
export const testImagesToday = `CASE WHEN test_day = ${today} THEN test_images ELSE 0 END`;

/** SQL: the unfinished test jobs of an account. */
export const unfinishedTests = `(SELECT count(*)::int FROM generation
          WHERE account_id = :accountId AND mode = 'test' AND kind = ANY (enum_range(NULL::generation_kind))
            AND status IN ('pending', 'processing'))`;

/** SQL condition on `account`: it may have another test job. */
export const hasTestsLeft = `(${testImagesToday} + :rendersTotal::int <= :maxTestImages::int
            AND ${unfinishedTests} < :maxUnfinishedTests::int)`;
