import {
  fillHistory,
  startExplainingPostgres,
  startStack,
  type ExplainingPostgres,
  type Stack,
  type TestAccount,
} from "@atelier/testing";
import { backfills } from "@atelier/generations/retention";
import { setTimeout as delay } from "node:timers/promises";
import { clientOf, image } from "./client.ts";
import { signInAsOperator } from "./console.ts";
import { eventually } from "./eventually.ts";

/** A service whose only account has a long history, on a Postgres that logs every plan. */
export interface ServiceWithHistory {
  readonly postgres: ExplainingPostgres;
  readonly stack: Stack;
  readonly account: TestAccount;
  stop(): Promise<void>;
}

/** @param generations finished jobs of the account; each has a render, a call, a charge and four files. */
export async function startWithHistory(generations: number): Promise<ServiceWithHistory> {
  const postgres = await startExplainingPostgres();
  try {
    return await startOn(postgres, generations);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function startOn(
  postgres: ExplainingPostgres,
  generations: number,
): Promise<ServiceWithHistory> {
  let accountId = "";
  const stack = await startStack({
    postgresUrl: postgres.url,
    environment: {
      SWEEP_INTERVAL_SECONDS: "1",
      JOB_RETENTION_DAYS: "400",
      RETENTION_HOURS: "9000",
      WEBHOOK_PRIVATE_HOSTS: "127.0.0.1:9",
    },
    async prepare(database) {
      const history = { accounts: 1, generations, imagesKept: true };
      [accountId = ""] = await fillHistory(database, history);
      // An installation that was upgraded long ago.
      await database.query(
        `INSERT INTO backfill (name, rows_total, finished_at)
         SELECT name, 0, now() FROM unnest($1::text[]) AS name`,
        [backfills.map(({ name }) => name)],
      );
    },
  });
  return {
    postgres,
    stack,
    account: await stack.giveCredit(accountId, "100"),
    async stop() {
      await stack.stop();
      await postgres.stop();
    },
  };
}

/** Requests images one after the other. */
export async function makeImages(service: ServiceWithHistory, count: number): Promise<string[]> {
  const client = clientOf(service.stack, service.account);
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const id = await client.accept();
    await client.untilFinal(id);
    ids.push(id);
  }
  return ids;
}

const storyRequest = {
  model: "fake-blind",
  prompt: "A short tale of a lost kite",
  style: "watercolour",
  characters: [{ name: "Mira", description: "a girl with long red hair and a green coat" }],
  locations: [{ name: "Beach", description: "a wide beach with dunes" }],
  scenes: [
    { prompt: "Mira finds a kite", characters: [{ name: "Mira" }], location: "Beach" },
    { prompt: "The kite flies away", characters: [{ name: "Mira" }], location: "Beach" },
  ],
};

/** Uses what clients use most: jobs of several kinds, lists, searches, notes, kept images, reports and deletion. */
export async function useService(service: ServiceWithHistory): Promise<void> {
  const { stack, account } = service;
  const client = clientOf(stack, account);
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await stack.request(account, method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? null : (JSON.parse(text) as unknown);
  };
  const post = (path: string, body: object) => ask("POST", path, body);
  await post("/v1/account/webhook-secret", {});
  const [first = "", second = ""] = await makeImages(service, 2);
  const story = await stack.request(account, "POST", "/v1/generate/story", storyRequest, {
    Prefer: "respond-async",
  });
  const { job_id: storyId } = (await story.json()) as { job_id: string };
  const waiting = await Promise.all([client.accept(), client.accept(), client.accept()]);
  await ask("GET", `/v1/jobs/${waiting[2]}`);
  await stack.request(account, "DELETE", `/v1/jobs/${waiting[2]}`);
  const edit = { model: "builtin-illustrator", prompt: "at night", image: { job_id: first } };
  await post("/v1/generate/edit", edit);
  const upscale = { model: "builtin-upscaler", image: { job_id: first }, factor: 2 };
  await post("/v1/generate/upscale", upscale);
  // Nothing accepts the delivery, so that it is tried again.
  const hook = { webhook_url: "http://127.0.0.1:9/hook" };
  await post("/v1/generate/image", { ...image, ...hook, keep: true });
  const batch = await post("/v1/batches", {
    requests: [1, 2, 3].map(() => ({ operation: "image", body: image })),
  });
  const { id: batchId } = batch as { id: string };
  await Promise.all([storyId, ...waiting].map((id) => client.untilFinal(id)));
  await ask("PATCH", `/v1/jobs/${first}`, { starred: true, title: "First" });
  const collection = (await post("/v1/collections", { name: "May" })) as { id: string };
  await ask("PATCH", `/v1/collections/${collection.id}`, { add: [first] });
  await post(`/v1/jobs/${second}/keep`, {});
  const { result } = (await ask("GET", `/v1/jobs/${first}`)) as { result: { image_hash: string } };
  const month = new Date().toISOString().slice(0, 7);
  for (const path of [
    "/v1/jobs",
    "/v1/jobs?status=failed",
    "/v1/jobs?kind=story&status=pending",
    "/v1/jobs?mode=test",
    "/v1/jobs?starred=true",
    `/v1/jobs?collection=${collection.id}`,
    "/v1/jobs?q=dusk",
    "/v1/jobs?q=nothing",
    `/v1/jobs?created_after=${month}-01T00:00:00Z`,
    `/v1/jobs?hash=${"0".repeat(64)}`,
    `/v1/jobs?similar_to=${result.image_hash}`,
    `/v1/jobs/${storyId}`,
    `/v1/jobs/${first}/deliveries`,
    "/v1/kept",
    "/v1/transactions",
    "/v1/usage",
    "/v1/account",
    "/v1/keys",
    "/v1/webhooks",
    "/v1/batches",
    `/v1/batches/${batchId}`,
    "/v1/characters",
    "/v1/presets",
    "/v1/budgets",
    "/v1/models",
  ]) {
    await ask("GET", path);
  }
  await ask("DELETE", `/v1/jobs/${second}/keep`);
  await ask("DELETE", `/v1/jobs/${second}/images`);
  await eventually(
    () => ask("GET", `/v1/batches/${batchId}`),
    (found) => (found as { status: string }).status === "completed",
  );
  await fetch(`${stack.adminUrl}/metrics`, {
    headers: { Authorization: `Bearer ${stack.adminKey}` },
  });
  await useConsole(service, first);
}

/** Opens the pages of the operators' console. */
async function useConsole({ stack, account }: ServiceWithHistory, jobId: string): Promise<void> {
  const cookie = await signInAsOperator(stack.adminUrl, stack.adminKey);
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
  for (const path of [
    "accounts",
    "accounts?q=history",
    `accounts/${account.accountId}`,
    `accounts/${account.accountId}/transactions`,
    `jobs?job=${jobId}`,
    "jobs?request_id=unknown",
    `jobs?sha256=${"0".repeat(64)}`,
    `jobs?from=${from}`,
    `jobs?account_id=${account.accountId}`,
    `jobs?account_id=${account.accountId}&from=${from}&status=failed`,
    `jobs/${jobId}`,
    "health",
  ]) {
    const response = await fetch(`${stack.adminUrl}/admin/v1/${path}`, {
      headers: { Cookie: cookie },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
}

/** Replaces the worker by one that sweeps and recovers as often as it does by default. */
export async function useDefaultIntervals({ stack }: ServiceWithHistory): Promise<void> {
  await Promise.all(stack.workers.map((worker) => worker.stop()));
  await stack.startWorker({
    SWEEP_INTERVAL_SECONDS: "",
    RECOVERY_INTERVAL_SECONDS: "",
    RECOVERY_AFTER_SECONDS: "",
    WORKER_LOCK_SECONDS: "",
  });
}

/** Lets programs work for so long while nothing is requested. */
export async function idle(seconds: number): Promise<void> {
  await delay(seconds * 1_000);
}
