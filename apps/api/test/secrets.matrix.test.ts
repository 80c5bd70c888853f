import { describeStacks, type Stack } from "@atelier/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { createClient, image, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

/** Private texts that may be returned only to their owner. */
const canary = {
  prompt: "canaryprompt7431",
  description: "canarydescription7431",
  url: "canaryurl7431",
  idempotencyKey: "canaryidempotency7431",
};

const metricsToken = "a token that is only for tests and long enough";

const withMetrics = { environment: { WORKER_ADMIN_PORT: "0", METRICS_TOKEN: metricsToken } };

describeStacks("a private text of a request", withMetrics, (stackOf) => {
  let stack: Stack;
  let owner: Client;
  let stranger: Client;
  /** Jobs with these texts, with every possible ending. */
  const jobIds: string[] = [];
  let secrets: string[];

  beforeAll(async () => {
    stack = stackOf();
    [owner, stranger] = await Promise.all([createClient(stack), createClient(stack)]);
    secrets = [...Object.values(canary), owner.account.key, stranger.account.key];
    let sent = 0;
    const generate = async (body: unknown, status: number) => {
      const headers = { "Idempotency-Key": `${canary.idempotencyKey}-${sent++}` };
      const response = await owner.generate(body, headers);
      expect(response.status).toBe(status);
      const jobId = response.headers.get("X-Service-Job-Id");
      if (jobId !== null) jobIds.push(jobId);
    };
    // At the beginning, since Postgres truncates long texts in errors.
    const prompt = `${canary.prompt}, a lighthouse`;
    const secret = { ...image, prompt };
    const behaveOnce = (kind: "fail" | "garbage" | "cut-short", status: number) => {
      const from = stack.provider.calls.length;
      stack.provider.behave((_, count) => {
        if (count > from + 1) return { kind: "image" };
        return kind === "fail" ? { kind, status } : { kind };
      });
    };

    await generate(secret, 200);
    await generate({ model: "builtin-illustrator", prompt }, 200);
    await generate({ ...secret, prompt: `${prompt}, a severed head on a table` }, 422);
    behaveOnce("fail", 500);
    await generate(secret, 200);
    behaveOnce("garbage", 200);
    await generate(secret, 200);
    behaveOnce("cut-short", 200);
    await generate(secret, 200);
    behaveOnce("fail", 422);
    await generate(secret, 502);
    behaveOnce("fail", 402);
    await generate(secret, 503);
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    await generate(secret, 502);
    stack.provider.behave(() => ({ kind: "image" }));
    const reference = {
      description: canary.description,
      url: `https://nowhere.invalid/${canary.url}.png?token=${canary.url}`,
    };
    await generate({ ...secret, reference_images: [reference] }, 422);
    await generate(`{"model": "fake-blind", "prompt": "${prompt}`, 400);
    await generate({ ...secret, [canary.prompt]: prompt }, 400);
    await generate({ ...secret, strictness: canary.prompt }, 400);
    await generate({ ...secret, model: canary.prompt }, 404);
    await generate({ ...secret, prompt: `${prompt}\0` }, 400);

    // The error of Postgres contains the whole refused row.
    await stack.database.query(
      "ALTER TABLE generation ADD CONSTRAINT no_more CHECK (false) NOT VALID",
    );
    await generate(secret, 500);
    await stack.database.query("ALTER TABLE generation DROP CONSTRAINT no_more");
  });

  const expectNoSecrets = (text: string) => {
    for (const secret of secrets) expect(text).not.toContain(secret);
  };

  it("is not in the files or their manifests", async () => {
    const prompt = `${canary.prompt}, a lighthouse`;
    const jobId = await owner.accept({ model: "builtin-illustrator", prompt });
    const url = (await owner.untilFinal(jobId)).result?.image_url ?? "";
    const completed = await owner.untilFinal(
      await owner.accept({
        model: "builtin-illustrator",
        prompt,
        reference_images: [{ description: canary.description, url }],
      }),
    );
    const formats = Object.values(completed.result?.formats ?? {});
    expect(formats).toHaveLength(3);
    for (const variant of formats) {
      const bytes = Buffer.from(await (await fetch(variant.url)).arrayBuffer()).toString("latin1");
      // Proves that manifests are readable in the bytes.
      expect(bytes).toContain("builtin-illustrator");
      expectNoSecrets(bytes);
    }
  });

  it("is not in the logs of the API and the workers", async () => {
    const log = await eventually(
      () => stack.api.log(),
      (text) => text.includes("no_more"),
    );
    const workerLogs = await Promise.all(stack.workers.map((worker) => worker.log()));
    // Proves that the logs include the jobs.
    for (const jobId of jobIds) expect(log).toContain(jobId);
    expect(workerLogs.join("")).toContain("render postponed");
    expect(workerLogs.join("")).toContain("generation failed");
    for (const text of [log, ...workerLogs]) expectNoSecrets(text);
  });

  it("is not in the metrics of the API and the workers", async () => {
    const workerUrls = stack.workers.map(({ ports }) => `http://127.0.0.1:${ports.admin}`);
    for (const url of [stack.adminUrl, ...workerUrls]) {
      const response = await fetch(`${url}/metrics`, {
        headers: { Authorization: `Bearer ${metricsToken}` },
      });
      const text = await response.text();
      expect(text).toContain("atelier_");
      expectNoSecrets(text);
    }
  });

  /** Everything that Bull Board shows about the jobs in the queue. */
  async function showQueues(): Promise<string> {
    let shown = "";
    for (const lane of ["builtin", "fake-blind", "fake-resumable"]) {
      for (const status of ["completed", "failed", "delayed", "waiting", "prioritized", "active"]) {
        const response = await fetch(
          `${stack.adminUrl}/queues/api/queues?activeQueue=${lane}&status=${status}&page=1&jobsPerPage=100`,
          { headers: { Authorization: `Bearer ${stack.adminKey}` } },
        );
        expect(response.status).toBe(200);
        shown += await response.text();
      }
    }
    return shown;
  }

  it("is not in the queue", async () => {
    const renders = await stack.database.query<{ id: string }>(
      "SELECT id FROM render WHERE generation_id = ANY ($1)",
      [jobIds],
    );
    expect(renders).toHaveLength(jobIds.length);
    // A job that changes its state in the meantime may be missing from both.
    const shown = await eventually(showQueues, (text) =>
      renders.every(({ id }) => text.includes(id)),
    );
    expectNoSecrets(shown);

    // On Postgres, all tables of BullMQ.
    const tables = await stack.database.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'bullmq'",
    );
    for (const { name } of tables) {
      const rows = await stack.database.query<{ row: string }>(
        `SELECT t::text AS row FROM bullmq."${name}" AS t`,
      );
      expectNoSecrets(rows.map(({ row }) => row).join("\n"));
    }
  });

  it("is not in responses to another account", async () => {
    const answers: string[] = [];
    const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
      const response = await stack.request(stranger.account, method, path, body, headers);
      answers.push(JSON.stringify([...response.headers]) + (await response.text()));
    };
    for (const jobId of jobIds) {
      await ask("GET", `/v1/jobs/${jobId}`);
      await ask("DELETE", `/v1/jobs/${jobId}`);
    }
    await ask("GET", "/v1/jobs");
    await ask("GET", "/v1/account");
    for (let sent = 0; sent < jobIds.length; sent++) {
      const headers = { "Idempotency-Key": `${canary.idempotencyKey}-${sent}` };
      await ask("POST", "/v1/generate/image", image, headers);
    }
    await stack.database.query("ALTER TABLE generation RENAME COLUMN title TO renamed_away");
    await ask("GET", "/v1/jobs");
    await stack.database.query("ALTER TABLE generation RENAME COLUMN renamed_away TO title");
    expect(answers.join()).toContain("internal_error");
    expectNoSecrets(answers.join("\n"));
  });

  describe("in the database", () => {
    it("is stored only in the rows of its job", async () => {
      const tables = await stack.database.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
      );
      for (const { name } of tables) {
        const rows = await stack.database.query<{ row: string }>(
          `SELECT t::text AS row FROM "${name}" AS t`,
        );
        const text = rows.map(({ row }) => row).join("\n");
        // Keys are stored only as hashes. Requests, their plans and their words belong to the account.
        expect(text).not.toContain(owner.account.key);
        if (["generation", "generation_search", "render", "idempotency_key"].includes(name))
          continue;
        expectNoSecrets(text);
      }
    });
  });
});
