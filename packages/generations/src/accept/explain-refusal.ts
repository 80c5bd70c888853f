import { endedCredential, refusedKey, suspendedAccount } from "@atelier/accounts";
import { assertWithinBudgets, insufficientCredit, readSpendable } from "@atelier/billing";
import { type Sql, statement } from "@atelier/database";
import { AppError, quotaOf, totalPrice } from "@atelier/schemas";
import { assertNextLine } from "../batches/take-lines.ts";
import { overloaded } from "./overloaded.ts";
import type { NewGeneration } from "./new-generation.ts";
import {
  isStillPermitted,
  namedModel,
  testImagesToday,
  today,
  unfinishedTests,
} from "./conditions.ts";
import { assertReferencesKept } from "./references.ts";

/** @throws AppError with the reason why an account cannot have a generation now, if there is one. */
export async function explainRefusal(sql: Sql, request: NewGeneration): Promise<void> {
  const { accountId, maxUnfinishedJobs, isBehind = false, plan, batch = null } = request;
  if (batch !== null) await assertNextLine(sql, batch);
  const [account] = await sql.query<{
    jobs: number;
    balance: bigint;
    erased: boolean;
    suspended: boolean;
  }>(
    `SELECT unfinished_jobs AS jobs, balance_micro_eur AS balance, erased_at IS NOT NULL AS erased,
            suspended_at IS NOT NULL AS suspended
       FROM account WHERE id = $1`,
    [accountId],
  );
  if (account === undefined) throw new Error(`account ${accountId} is gone`);
  if (account.erased) throw accountErased();
  if (account.suspended) throw suspendedAccount();
  await assertStillPermitted(sql, request);
  if (account.jobs >= maxUnfinishedJobs) {
    throw new AppError(
      "too_many_jobs",
      `The account has ${maxUnfinishedJobs} unfinished jobs, which is its limit. Wait until some are done, or cancel some.`,
      { details: { max_unfinished_jobs: maxUnfinishedJobs }, retryAfterMs: 5_000 },
    );
  }
  if (plan.mode === "test") await assertTestsLeft(sql, request);
  if (isBehind && account.jobs > 0) throw overloaded();
  await assertReferencesKept(sql, plan);
  const requiredMicroEur = totalPrice(plan.price);
  if (account.balance < requiredMicroEur) {
    const balanceMicroEur = await readSpendable(sql, request.keyId);
    throw insufficientCredit({ requiredMicroEur, balanceMicroEur });
  }
  await assertWithinBudgets(sql, request.keyId, requiredMicroEur);
}

/** The error for a request whose account was erased after it was authenticated. */
export function accountErased(): AppError {
  return new AppError("account_suspended", "This account was erased. Use another account.");
}

/** @throws AppError when the key or session of a request has ended, or lost the right, since it began. */
async function assertStillPermitted(
  sql: Sql,
  { keyId, secretHashes = null, sessionId = null, plan }: NewGeneration,
): Promise<void> {
  const [key] = await sql.query<{
    revoked: boolean;
    expired: boolean;
    hasCredential: boolean;
    permitted: boolean;
  }>(...findPermission.bind({ keyId, secretHashes, sessionId, namedModel: namedModel(plan) }));
  if (key === undefined || key.revoked) throw refusedKey("revoked");
  if (key.expired) throw refusedKey("expired");
  if (!key.hasCredential) throw endedCredential();
  if (!key.permitted) {
    throw new AppError(
      "key_not_permitted",
      "The rights of this key were reduced. Use another key, or ask the owner of the account.",
      { details: { model: namedModel(plan) } },
    );
  }
}

const findPermission = statement(
  ["keyId", "secretHashes", "sessionId", "namedModel"],
  `SELECT revoked_at IS NOT NULL AS revoked, coalesce(expires_at <= clock_timestamp(), false) AS expired,
          (:sessionId::uuid IS NULL OR EXISTS (
             SELECT FROM studio_session AS session
              WHERE session.id = :sessionId AND session.expires_at > clock_timestamp()))
          AND (:secretHashes::bytea[] IS NULL OR hash = ANY (:secretHashes)
               OR coalesce(previous_hash = ANY (:secretHashes) AND previous_expires_at > clock_timestamp(), false)
              ) AS "hasCredential",
          ${isStillPermitted} AS permitted
     FROM api_key WHERE id = :keyId`,
);

/** @throws AppError `too_many_jobs` or `rate_limited` when an account cannot have another test job. */
async function assertTestsLeft(
  sql: Sql,
  { accountId, maxUnfinishedJobs, maxTestImages = 0, plan }: NewGeneration,
): Promise<void> {
  const [tests] = await sql.query<{ images: number; unfinished: number; resetsAt: Date }>(
    ...readTests.bind({ accountId }),
  );
  if (tests === undefined) throw new Error(`account ${accountId} is gone`);
  const max = quotaOf("test", maxUnfinishedJobs);
  if (tests.unfinished >= max) {
    throw new AppError(
      "too_many_jobs",
      `The account has ${max} unfinished test jobs, which is its limit. Wait until some are done, or cancel some.`,
      { details: { max_unfinished_test_jobs: max }, retryAfterMs: 5_000 },
    );
  }
  if (tests.images + plan.renders.length <= maxTestImages) return;
  throw new AppError(
    "rate_limited",
    `The test keys of an account may request ${maxTestImages} images a day, and this one has requested ${tests.images} today. The count starts again at ${tests.resetsAt.toISOString()}.`,
    {
      details: {
        max_test_images_per_day: maxTestImages,
        test_images: tests.images,
        resets_at: tests.resetsAt.toISOString(),
      },
      retryAfterMs: Math.max(1_000, tests.resetsAt.getTime() - Date.now()),
    },
  );
}

const readTests = statement(
  ["accountId"],
  `SELECT ${testImagesToday} AS images, ${unfinishedTests} AS unfinished,
          (${today} + 1)::timestamp AT TIME ZONE 'UTC' AS "resetsAt"
     FROM account WHERE id = :accountId`,
);
