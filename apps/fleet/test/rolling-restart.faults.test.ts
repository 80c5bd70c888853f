import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createStorage } from "@atelier/storage";
import { assertInvariants, startStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startFleet, type Fleet } from "../src/start-fleet.ts";

const redisUrl = inject("redisUrl");
const s3Url = inject("s3Url");

/** Whether the stores of a fleet are available; each process takes one second to start. */
const hasStores = redisUrl !== null && s3Url !== null;
const stores = hasStores ? { redisUrl, s3Url } : { redisUrl: null, s3Url: null };

const price = 50_000n;

/** Nine processes start, possibly on a busy machine. */
const patientMs = 300_000;

describe(`a fleet (${hasStores ? "Redis queue, S3" : "Postgres queue, files"})`, () => {
  let stack: Stack;
  let fleet: Fleet;
  let directory: string;
  const reports: string[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "atelier-fleet-"));
    // Provides accounts, a provider and stores; the fleet runs the programs.
    stack = await startStack({
      postgresUrl: inject("postgresUrl"),
      processes: true,
      ...stores,
      workers: 0,
    });
    const { PUBLIC_URL: _, ...environment } = stack.environment;
    fleet = await startFleet({
      environment: {
        ...environment,
        // Jobs that wait for a lock or for recovery would not finish within the test.
        WORKER_LOCK_SECONDS: "600",
        RECOVERY_AFTER_SECONDS: "600",
        GENERATIONS_PER_MINUTE: "100000",
        OTHER_REQUESTS_PER_MINUTE: "100000",
      },
      apis: 2,
      workers: 2,
      host: "127.0.0.1",
      port: 0,
      workerEntry: "apps/worker/test/fake-provider-worker.ts",
      directory,
      report: (sentence) => reports.push(sentence),
    });
  }, patientMs);

  afterAll(async () => {
    await fleet?.stop();
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  }, patientMs);

  it(
    "restarts all its processes under load: no failed request, no lost job, no double charge",
    async () => {
      stack.provider.behave(async () => {
        // Ensures that some jobs are running whenever a worker is stopped.
        await delay(150);
        return { kind: "image" };
      });
      const account = await stack.createAccount("1000");
      const before = [...fleet.apis(), ...fleet.workers()].map(({ pid }) => pid);
      const jobs = new Set<string>();
      const failures: string[] = [];
      const ended = new AbortController();

      // fetch reuses its connections, as clients do.
      async function ask(method: string, path: string, body?: object): Promise<Response> {
        const response = await fetch(fleet.url + path, {
          method,
          headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "application/json" },
          ...(body && { body: JSON.stringify(body) }),
        });
        if (!response.ok) failures.push(`${method} ${path}: ${response.status}`);
        return response;
      }

      async function useForAWhile(): Promise<void> {
        while (!ended.signal.aborted) {
          const body = { model: "fake-blind", prompt: "a lighthouse at dusk" };
          const answer = await ask("POST", "/v1/generate/image", body);
          const jobId = answer.headers.get("X-Service-Job-Id") ?? "";
          jobs.add(jobId);
          await answer.body?.cancel();
          await (await ask("GET", `/v1/jobs/${jobId}`)).json();
          // Leaves CPU for the processes that start.
          await delay(100);
        }
      }

      /** Whether a new API may have accepted jobs that only a new worker can process. */
      let isApiFirst = false;
      async function observeOrder(): Promise<void> {
        const isNew = ({ pid }: { readonly pid: number }) => !before.includes(pid);
        while (!ended.signal.aborted) {
          isApiFirst ||= fleet.apis().some(isNew) && !fleet.workers().every(isNew);
          await delay(20);
        }
      }

      const clients = Array.from({ length: 4 }, useForAWhile);
      const restarted = fleet.restart().finally(() => ended.abort());
      await Promise.all([restarted, observeOrder(), ...clients]);
      expect(isApiFirst).toBe(false);

      const after = [...fleet.apis(), ...fleet.workers()].map(({ pid }) => pid);
      expect(after).toHaveLength(before.length);
      expect(before.filter((pid) => after.includes(pid))).toEqual([]);
      expect(failures).toEqual([]);
      // Each job that was accepted with 202 completes a moment later.
      for (const jobId of jobs) {
        let status = "";
        while (status !== "completed") {
          ({ status } = (await (await ask("GET", `/v1/jobs/${jobId}`)).json()) as Status);
          expect(status).not.toMatch(/failed|cancelled/);
        }
      }
      expect(failures).toEqual([]);
      const [money] = await stack.database.query<{ balance: bigint; held: bigint }>(
        `SELECT balance_micro_eur AS balance, held_micro_eur AS held FROM account WHERE id = $1`,
        [account.accountId],
      );
      expect(jobs.size).toBeGreaterThan(5);
      expect(money).toEqual({ balance: 1_000_000_000n - BigInt(jobs.size) * price, held: 0n });
      // The provider was called once for each image.
      expect(new Set(stack.provider.calls.map(({ key }) => key)).size).toBe(jobs.size);
      expect(stack.provider.calls).toHaveLength(jobs.size);
      const storage = await createStorage({
        url: stack.environment["STORAGE_URL"] ?? "",
        publicUrl: fleet.url,
        signingSecret: "reads what is stored, and signs nothing",
      });
      await assertInvariants(stack.database, storage, stack.provider.calls);
      await storage.close();
      expect(reports).toEqual([]);
    },
    patientMs,
  );
});

interface Status {
  readonly status: string;
}
