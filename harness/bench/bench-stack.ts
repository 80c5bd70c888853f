import { createKey } from "@atelier/accounts";
import { processTuning } from "@atelier/process";
import { startStack, threadPerCore, type Stack, type TestAccount } from "@atelier/testing";
import type { BenchContext } from "./context.ts";
import { withoutLimits } from "./without-limits.ts";

interface BenchStackOptions {
  /** Null puts the queues in the database. */
  readonly redisUrl: string | null;
  readonly workers: number;
  /** Default: a worker whose provider responds at once with a prepared image. */
  readonly workerEntry?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Starts the service as in production, but without limits and with a provider that responds at
 * once.
 */
export function startBenchStack(
  { services, photo }: Pick<BenchContext, "services" | "photo">,
  {
    redisUrl,
    workers,
    workerEntry = "harness/bench/instant-worker.ts",
    environment,
  }: BenchStackOptions,
): Promise<Stack> {
  return startStack({
    postgresUrl: services.postgresUrl,
    processes: true,
    redisUrl,
    workers,
    workerEntry,
    environment: {
      NODE_ENV: "production",
      BENCH_IMAGE: photo,
      ...processTuning,
      WATERMARK_SECRET: "the watermark secret of the bench",
      ...withoutLimits,
      ...threadPerCore,
      WORKER_LOCK_SECONDS: "30",
      RECOVERY_INTERVAL_SECONDS: "2",
      RECOVERY_AFTER_SECONDS: "10",
      ...environment,
    },
  });
}

/** Generates one image, waits for it, and returns the id of its job. */
export async function generateImage(stack: Stack, account: TestAccount): Promise<string> {
  const body = { model: "fake-blind", prompt: "a lighthouse on a cliff at dusk" };
  const response = await stack.request(account, "POST", "/v1/generate/image", body);
  if (response.status !== 200) throw new Error(await response.text());
  const { id } = (await response.json()) as { id: string };
  return id;
}

/** Creates a key for an existing account. */
export async function openAccount(stack: Stack, accountId: string): Promise<TestAccount> {
  const pepper = stack.environment["KEY_PEPPER"] ?? "";
  const { id, key } = await createKey(stack.database, { accountId, name: "bench", pepper });
  return { accountId, keyId: id, key };
}

/** Returns the authorization header of an account. */
export function authorization({ key }: TestAccount): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${key}` };
}
