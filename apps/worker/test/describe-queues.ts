import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createQueues, type Queues } from "@atelier/queue";
import { jobAccepted } from "@atelier/schemas";
import { createStorage, type Storage } from "@atelier/storage";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, afterEach, beforeAll, describe, inject, vi } from "vitest";

export interface Accepted {
  readonly account: TestAccount;
  readonly jobId: string;
  readonly renderId: string;
}

/** Stored state of an image, its calls and its money. */
interface Facts {
  readonly status: string;
  readonly error: string | null;
  readonly renderStatus: string;
  readonly attempt: number;
  /** Outcomes of the provider calls, in order. */
  readonly outcomes: readonly (string | null)[];
  readonly chargedMicroEur: bigint | null;
  readonly balanceMicroEur: bigint;
  readonly heldMicroEur: bigint;
  /** Storage keys with the hashes of the files. */
  readonly files: readonly string[];
}

/** The service without workers; tests start and kill them. */
export interface Subject {
  readonly stack: Stack;
  readonly storage: Storage;
  readonly queues: Queues;
  readonly queueUrl: string;
  /** Starts a worker, on lane `fake-blind` by default, and stops it after the test. */
  readonly startWorker: (environment?: Readonly<Record<string, string>>) => Promise<Worker>;
  /** Requests an image over HTTP without waiting, for an account with 10 EUR by default. */
  readonly accept: (model: string, account?: TestAccount, options?: object) => Promise<Accepted>;
  readonly factsOf: (accepted: Pick<Accepted, "jobId">) => Promise<Facts>;
  /** Waits until a job is final and returns its stored state. */
  readonly untilFinal: (accepted: Pick<Accepted, "jobId">) => Promise<Facts>;
  /** Waits until the queue of a lane is empty. */
  readonly untilIdle: (lane: string) => Promise<void>;
  /** Number of calls for a render that the provider received. */
  readonly callsFor: (accepted: Pick<Accepted, "renderId">) => number;
  /** Lists the storage keys under a prefix. */
  readonly filesUnder: (prefix: string) => Promise<readonly string[]>;
}

export type Worker = Stack["workers"][number];

/** Options of suites that share a service and start processes, on a possibly busy machine. */
export const sequential = { concurrent: false, timeout: 180_000 };

/** Lock timeout of workers that are not killed, long enough for a slow machine. */
export const slowMachineLocks = { WORKER_LOCK_SECONDS: "4" };

const lanes = ["builtin", "fake-blind", "fake-resumable"];

/** Starting a worker takes seconds on a busy machine. */
const pollOptions = { timeout: 60_000, interval: 20 };

/** Polls until a condition holds. */
export function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  return vi.waitUntil(condition, pollOptions);
}

/**
 * Runs a suite against the service with its queues in Redis and in Postgres, and checks the
 * invariants of database, storage and the provider's bill after each test.
 *
 * @param options.redisDatabase a Redis database that no other suite uses, for a suite that flushes it.
 */
export function describeQueues(
  name: string,
  options: {
    readonly redisDatabase?: number;
    readonly environment?: Readonly<Record<string, string>>;
  },
  suite: (subject: () => Subject) => void,
): void {
  const redis = inject("redisUrl");
  const backends = ["Postgres", "Redis"] as const;
  for (const backend of backends) {
    describe
      .skipIf(backend === "Redis" && redis === null)
      .concurrent(`${name} (${backend})`, () => {
        let subject: Awaited<ReturnType<typeof startSubject>> | undefined;

        beforeAll(async () => {
          const { redisDatabase = 0, environment = {} } = options;
          const redisUrl = backend === "Redis" ? withDatabase(redis ?? "", redisDatabase) : null;
          subject = await startSubject(redisUrl, environment);
        });

        afterEach(async () => {
          if (subject === undefined) return;
          const { stack, storage, stopWorkers } = subject;
          await stopWorkers();
          stack.provider.behave(() => ({ kind: "image" }));
          await assertInvariants(stack.database, storage, stack.provider.calls);
        });

        afterAll(() => subject?.stop());

        suite(() => {
          if (subject === undefined) throw new Error("the service did not start");
          return subject;
        });
      });
  }
}

async function startSubject(
  redisUrl: string | null,
  environment: Readonly<Record<string, string>>,
): Promise<Subject & Record<"stopWorkers" | "stop", () => Promise<void>>> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-worker-test-"));
  const storageUrl = `file:${join(directory, "storage")}`;
  // All suites share one Redis and use the same queue names; the prefix separates them.
  const ownRedisUrl = redisUrl && `${redisUrl}?prefix=${randomUUID()}`;
  const stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    workers: 0,
    environment: {
      STORAGE_URL: storageUrl,
      ...(ownRedisUrl && { QUEUE_URL: ownRedisUrl }),
      ...environment,
    },
  });
  const [row] = await stack.database.query<{ name: string }>("SELECT current_database() AS name");
  const queueUrl = ownRedisUrl ?? withDatabase(inject("postgresUrl"), row?.name ?? "");
  const storage = await createStorage({
    url: storageUrl,
    publicUrl: stack.url,
    signingSecret: "a secret that is only for tests and long enough",
  });
  // Reopens connections that a test cuts.
  const queues = await createQueues({ url: queueUrl, lanes, onError: () => undefined });

  const workers: Worker[] = [];

  async function factsOf({ jobId }: Pick<Accepted, "jobId">): Promise<Facts> {
    const [facts] = await stack.database.query<Facts>(
      `SELECT generation.status, generation.error ->> 'error' AS error,
              render.status AS "renderStatus", attempt,
              ARRAY(SELECT outcome::text FROM provider_call WHERE render_id = render.id
                     ORDER BY provider_call.attempt) AS outcomes,
              charged_micro_eur AS "chargedMicroEur", balance_micro_eur AS "balanceMicroEur",
              held_micro_eur AS "heldMicroEur",
              ARRAY(SELECT storage_key || ' ' || sha256 FROM image WHERE render_id = render.id
                     ORDER BY format) AS files
         FROM generation JOIN render ON generation_id = generation.id
         JOIN account ON account.id = account_id
        WHERE generation.id = $1`,
      [jobId],
    );
    if (facts === undefined) throw new Error(`there is no job ${jobId}`);
    return facts;
  }

  return {
    stack,
    storage,
    queues,
    queueUrl,
    async startWorker(ownEnvironment) {
      const worker = await stack.startWorker({ WORKER_LANES: "fake-blind", ...ownEnvironment });
      workers.push(worker);
      return worker;
    },
    async stopWorkers() {
      for (const worker of workers) if (isAlive(worker)) worker.signal("SIGCONT");
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
    factsOf,
    async accept(model, ownAccount, options = {}) {
      const account = ownAccount ?? (await stack.createAccount());
      const request = { model, prompt: "a lighthouse at dusk", ...options };
      const headers = { Prefer: "respond-async" };
      const path = "/v1/generate/image";
      const response = await stack.request(account, "POST", path, request, headers);
      const { job_id: jobId } = jobAccepted.parse(await response.json());
      const [render] = await stack.database.query<{ id: string }>(
        "SELECT id FROM render WHERE generation_id = $1",
        [jobId],
      );
      return { account, jobId, renderId: render?.id ?? "" };
    },
    async untilFinal(accepted) {
      await until(async () => {
        const { status } = await factsOf(accepted);
        return status !== "pending" && status !== "processing";
      });
      return factsOf(accepted);
    },
    async untilIdle(lane) {
      await until(async () => {
        const { waiting: inQueue, active } = await queues.counts(lane);
        return inQueue + active === 0;
      });
    },
    callsFor: ({ renderId }) => stack.provider.calls.filter(({ key }) => key === renderId).length,
    async filesUnder(prefix) {
      const keys: string[] = [];
      for await (const { key } of storage.list(prefix)) keys.push(key);
      return keys;
    },
    async stop() {
      await storage.close();
      await queues.close();
      await stack.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Whether a process exists; a killed one disappears once its parent has reaped it. */
export function isAlive({ pid }: { readonly pid: number }): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function withDatabase(serverUrl: string, database: string | number): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
