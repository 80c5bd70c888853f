import { archiveJobs } from "@atelier/generations/archive";
import { ageJob } from "@atelier/generations/testing";
import { jobAccepted } from "@atelier/schemas";
import { exportLine, type ExportLine } from "@atelier/schemas/endpoints";
import { resourceTables } from "@atelier/schemas/resources";
import { createStorage } from "@atelier/storage";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, image, readError } from "./support/client.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await shareStack();
});

afterAll(() => stack.stop());

const ask = (holder: Pick<TestAccount, "key">) =>
  stack.request(holder, "GET", "/v1/account/export");

async function readLines(holder: Pick<TestAccount, "key">): Promise<ExportLine[]> {
  const text = await (await ask(holder)).text();
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => exportLine.parse(JSON.parse(line)));
}

describe("GET /v1/account/export", () => {
  it("has a line for each resource", () => {
    const types = exportLine.options.map(({ shape }) => shape.type.value);
    expect(types).toEqual(expect.arrayContaining(resourceTables));
  });

  it("streams account, keys, jobs with requests, and transfers, and nothing of others", async () => {
    const [client, stranger] = [await createClient(stack), await createClient(stack)];
    const metadata = { order: "17" };
    const made = await stack.request(client.account, "POST", "/v1/account/webhook-secret");
    const { secret: accountSecret } = (await made.json()) as { secret: string };
    const webhook_url = "https://receiver.example.com/hook?order=17";
    expect((await client.generate({ ...image, metadata, webhook_url })).status).toBe(200);
    expect((await stranger.generate()).status).toBe(200);
    const picture = Buffer.from("RIFF\0\0\0\0WEBP").toString("base64");
    const cover = { name: "Cover", operation: "image", request: { model: image.model }, picture };
    expect((await stack.request(client.account, "POST", "/v1/presets", cover)).status).toBe(201);
    const put = { name: "Covers of May" };
    const collection = await stack.request(client.account, "POST", "/v1/collections", put);
    const { id: collectionId } = (await collection.json()) as { id: string };
    const id = (await client.list()).jobs[0]?.id ?? "";
    const book = { pages: [{ scene: 1, text: "It is dark." }] };
    const noted = { title: "The lighthouse", starred: true, book };
    expect((await stack.request(client.account, "PATCH", `/v1/jobs/${id}`, noted)).status).toBe(
      200,
    );
    const change = { add: [id] };
    const path = `/v1/collections/${collectionId}`;
    expect((await stack.request(client.account, "PATCH", path, change)).status).toBe(200);
    const url = "https://receiver.example.com/hook";
    const hook = await stack.request(client.account, "POST", "/v1/webhooks", {
      url,
      events: ["job.completed"],
    });
    expect(hook.status).toBe(201);
    const { secret } = (await hook.json()) as { secret: string };
    const response = await ask(client.account);
    expect(response.headers.get("Content-Type")).toBe("application/x-ndjson");
    const text = await response.text();
    for (const hidden of [client.account.key, secret, accountSecret])
      expect(text).not.toContain(hidden);
    expect(text).not.toContain(stranger.account.accountId);
    const lines = await readLines(client.account);
    expect(lines.map(({ type }) => type)).toEqual([
      "account",
      "key",
      "webhook",
      "preset",
      "collection",
      "job",
      "transfer",
      "transfer",
      "transfer",
      "end",
    ]);
    expect(lines).toMatchObject([
      { account: { id: client.account.accountId } },
      { key: { id: client.account.keyId } },
      { webhook: { url } },
      { preset: cover },
      { collection: { name: put.name, jobs: [id] } },
      {
        job: { status: "completed", metadata, request: { prompt: image.prompt }, ...noted },
        webhook: { url: webhook_url, events: ["job.completed", "job.failed", "job.cancelled"] },
      },
      { transfer: { kind: "top_up", available_eur: "10.00" } },
      { transfer: { kind: "hold", available_eur: "-0.05", held_eur: "0.05" } },
      { transfer: { kind: "settle", held_eur: "-0.05", charged_eur: "0.05" } },
      { lines: 9 },
    ]);
  });

  it("contains archived jobs, which are not found otherwise", async () => {
    const client = await createClient(stack);
    expect((await client.generate()).status).toBe(200);
    const { id: made = "" } = (await client.list()).jobs[0] ?? {};
    const id = await ageJob(stack.database, made, Date.now() - 100 * 86_400_000);
    const month = (daysAgo: number) =>
      new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 7);
    const options = { before: month(31), withTexts: true };
    const storage = await createStorage({
      url: stack.environment["STORAGE_URL"] ?? "",
      publicUrl: "http://localhost",
      signingSecret: "a secret that is only for tests and long enough",
    });
    const stores = { database: stack.database, storage };
    expect(await archiveJobs(stores, options)).toMatchObject({ jobs: 1 });
    await storage.close();
    const lines = await readLines(client.account);
    expect(lines.filter(({ type }) => type === "job")).toEqual([]);
    expect(lines).toContainEqual({
      type: "archived_job",
      job: expect.objectContaining({
        id,
        status: "completed",
        request: expect.objectContaining({ prompt: image.prompt }),
        charged_eur: "0.05",
      }),
    });
    const response = await stack.request(client.account, "GET", `/v1/jobs/${id}`);
    expect(await readError(response)).toMatchObject({
      error: "job_not_found",
      message: expect.stringContaining("This job was archived"),
      details: { archived_month: month(100) },
    });
  });

  it(
    "contains every job of an account with more than a page of them, once",
    { tags: "full" },
    async () => {
      const client = await createClient(stack);
      const ids: string[] = [];
      while (ids.length < 103) {
        const response = await client.generate(image, { Prefer: "respond-async" });
        if (response.status !== 202) continue;
        ids.push(jobAccepted.parse(await response.json()).job_id);
        await client.cancel(ids.at(-1) ?? "");
      }
      const jobs = (await readLines(client.account)).flatMap((line) =>
        line.type === "job" ? [line.job.id] : [],
      );
      expect(jobs).toEqual(ids.toReversed());
    },
  );

  it("refuses a second export of the account while one runs", async () => {
    const { account } = await createClient(stack);
    const statuses = (await Promise.all([ask(account), ask(account), ask(account)])).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(200);
    expect(new Set([...statuses, 200, 429])).toEqual(new Set([200, 429]));
  });

  it("needs the scopes read and manage", async () => {
    const { account } = await createClient(stack);
    for (const scopes of [["generate", "read"], ["manage"]]) {
      const minted = await stack.request(account, "POST", "/v1/keys", { name: "x", scopes });
      const response = await ask((await minted.json()) as { key: string });
      expect(response.status).toBe(403);
      expect(await readError(response)).toMatchObject({ error: "key_not_permitted" });
    }
  });
});
