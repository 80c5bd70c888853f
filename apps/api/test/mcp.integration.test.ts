import { createHash } from "node:crypto";
import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createKey } from "@atelier/accounts";
import {
  account as accountSchema,
  errorBody,
  job as jobSchema,
  jobList,
  modelList,
  type Job,
  type ListedJob,
  quote as quoteSchema,
  upload as uploadSchema,
  usage as usageSchema,
} from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type Progress,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import * as z from "zod";
import { startSecondApi } from "./support/second-api.ts";
import { eventually } from "./support/eventually.ts";
import { holdCalls } from "./support/hold-calls.ts";

const current = { pin: "2026-07-28" };
const image = { model: "fake-blind", prompt: "a lighthouse at dusk" };
const story = {
  model: "fake-blind",
  characters: [{ name: "Mira", description: "a girl with long red hair" }],
  scenes: [
    { prompt: "Mira finds a kite", characters: [{ name: "Mira" }] },
    { prompt: "Mira flies it from the dune", characters: [{ name: "Mira" }] },
  ],
};

let stack: Stack;
let secondApi: { readonly url: string };
const clients: Client[] = [];

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      // No worker serves other models, so their jobs stay pending.
      WORKER_LANES: "fake-blind,builtin",
      PROVIDER_TIMEOUT_SECONDS: "60",
    },
  });
  secondApi = await startSecondApi(stack, { GENERATIONS_PER_MINUTE: "1" });
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  stack.provider.behave(() => ({ kind: "image" }));
});

afterAll(() => stack?.stop());

/** Connects the SDK's client, with the current protocol revision by default. */
async function connect(
  { key }: TestAccount,
  options: {
    readonly mode?: VersionNegotiationMode;
    readonly url?: string;
    readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
  } = {},
): Promise<Client> {
  const { mode = current, url = stack.url, fetch } = options;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
    ...(fetch === undefined ? {} : { fetch }),
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

/** Parses the job that a tool returned. */
function jobOf(result: CallToolResult): Job {
  expect(result.isError === true ? result.content : []).toEqual([]);
  return jobSchema.parse(result.structuredContent);
}

/** Parses the error that a tool returned. */
function errorOf(result: CallToolResult) {
  expect(result.isError).toBe(true);
  const [content] = result.content;
  if (content?.type !== "text") throw new Error("an error is told as text");
  const { retry_after_seconds, job_id, ...body } = JSON.parse(content.text) as Record<
    string,
    unknown
  >;
  return { ...errorBody.parse(body), retryAfterSeconds: retry_after_seconds, jobId: job_id };
}

/** A page of `list_jobs`. */
const jobPage = z.object({
  jobs: z.array(z.record(z.string(), z.unknown())),
  next_cursor: z.string().nullable(),
});

function withoutImages(of: ListedJob | undefined) {
  const {
    result: _result,
    renders: _renders,
    ...rest
  } = of ?? expect.unreachable("the response has no job");
  return rest;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each([
  { revision: "2026-07-28", mode: current },
  { revision: "2025-11-25", mode: "legacy" as const },
])("a client of the revision $revision", { timeout: 120_000 }, ({ mode }) => {
  /** Both revisions get their results from the same code; the older one has the tests of one image. */
  const lane = mode === current ? {} : { tags: "full" };

  it("lists the tools with self-contained schemas", async () => {
    const client = await connect(await stack.createAccount(), { mode });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "list_models",
      "generate_image",
      "generate_story",
      "generate_scene",
      "edit_image",
      "combine_images",
      "draw_graphic",
      "draw_diagram",
      "process_image",
      "upload_image",
      "keep_character",
      "list_characters",
      "get_job",
      "list_jobs",
      "cancel_job",
      "get_quote",
      "get_usage",
      "check_balance",
    ]);
    expect(JSON.stringify(tools)).not.toContain("$ref");
    // An assistant has tools, not HTTP operations.
    expect(JSON.stringify(tools)).not.toContain("/v1/");
    const [, generate] = tools;
    expect(generate?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(Object.keys(generate?.inputSchema.properties ?? {})).toEqual([
      "model",
      "prompt",
      "aspect_ratio",
      "image_size",
      "width",
      "height",
      "reference_images",
      "characters",
      "location",
      "after",
      "strictness",
      "n",
      "seed",
      "negative_prompt",
      "background",
      "parameters",
      "metadata",
      "idempotency_key",
      "wait_seconds",
    ]);
    expect(generate?.inputSchema.required).toEqual(["model", "prompt"]);
    expect(JSON.stringify(tools).length).toBeLessThan(40_000);
    for (const { outputSchema, description = "" } of tools) {
      expect(outputSchema).toMatchObject({ type: "object" });
      expect(description).not.toBe("");
    }
  });

  it("makes an image, returned inline and as a link, charged once", async () => {
    const client = await connect(await stack.createAccount("1"), { mode });
    const models = await client.callTool({ name: "list_models" });
    expect(
      modelList
        .pick({ models: true })
        .parse(models.structuredContent)
        .models.map(({ id }) => id),
    ).toContain(image.model);
    const result = await client.callTool({
      name: "generate_image",
      arguments: { ...image, wait_seconds: 60 },
    });
    const { status, result: generated } = jobOf(result);
    expect(status).toBe("completed");

    const link = result.content.find(({ type }) => type === "resource_link");
    if (link?.type !== "resource_link") throw new Error("the result has no link");
    const linked = new Uint8Array(await (await fetch(link.uri)).arrayBuffer());
    expect(link).toMatchObject({ mimeType: "image/png", size: linked.byteLength });
    expect(sha256(linked)).toBe(generated?.image_hash);

    const shown = result.content.find(({ type }) => type === "image");
    if (shown?.type !== "image") throw new Error("the result has no image");
    const thumbnail = await (await fetch(generated?.thumbnail_url ?? "")).bytes();
    expect(sha256(Buffer.from(shown.data, "base64"))).toBe(sha256(thumbnail));
    expect(shown.mimeType).toBe("image/webp");

    const balance = await client.callTool({ name: "check_balance" });
    expect(accountSchema.parse(balance.structuredContent)).toMatchObject({
      balance_eur: "0.95",
      held_eur: "0.00",
    });
  });

  it("draws a diagram and edits the image of its job", lane, async () => {
    const client = await connect(await stack.createAccount("1"), { mode });
    const drawn = await client.callTool({
      name: "draw_diagram",
      arguments: { model: "builtin-diagram", prompt: "a → b → c", wait_seconds: 60 },
    });
    const diagram = jobOf(drawn);
    expect(diagram).toMatchObject({ status: "completed", cost_eur: "0.01" });
    expect(diagram.result?.formats?.svg?.format).toBe("svg");
    const edited = await client.callTool({
      name: "edit_image",
      arguments: {
        model: "builtin-illustrator",
        prompt: "a blue lake",
        image: { job_id: diagram.id },
        wait_seconds: 60,
      },
    });
    expect(jobOf(edited)).toMatchObject({ status: "completed", cost_eur: "0.01" });
  });

  it("makes one scene with the reference of a story", lane, async () => {
    const client = await connect(await stack.createAccount(), { mode });
    const generated = jobOf(await client.callTool({ name: "generate_story", arguments: story }));
    const [mira] = generated.result?.characters ?? [];
    const scene = await client.callTool({
      name: "generate_scene",
      arguments: {
        model: story.model,
        prompt: "Mira carries the kite home",
        characters: [
          {
            name: "Mira",
            description: "a girl with long red hair",
            reference_url: mira?.reference_url,
          },
        ],
      },
    });
    expect(jobOf(scene)).toMatchObject({ operation: "scene", status: "completed" });
  });

  it("reports the progress of a story while waiting", lane, async () => {
    const client = await connect(await stack.createAccount(), { mode });
    const beginningTold = Promise.withResolvers<void>();
    const firstSceneTold = Promise.withResolvers<void>();
    stack.provider.behave(async ({ prompt }) => {
      await beginningTold.promise;
      if (prompt.includes("from the dune")) await firstSceneTold.promise;
      return { kind: "image" };
    });
    const reported: Progress[] = [];
    const result = await client.callTool(
      { name: "generate_story", arguments: { ...story, wait_seconds: 100 } },
      {
        onprogress: (progress) => {
          reported.push(progress);
          beginningTold.resolve();
          if (progress.progress === 1) firstSceneTold.resolve();
        },
      },
    );
    const { scenes_total, scenes_completed, result: generated } = jobOf(result);
    expect({ scenes_total, scenes_completed }).toEqual({ scenes_total: 2, scenes_completed: 2 });
    expect(reported.slice(0, 2)).toMatchObject([
      { progress: 0, total: 2 },
      { progress: 1, total: 2 },
    ]);
    const links = result.content.filter(({ type }) => type === "resource_link");
    expect(links.map((link) => (link.type === "resource_link" ? link.uri : ""))).toHaveLength(2);
    expect(generated?.scenes).toHaveLength(2);
  });
});

describe("a call", { timeout: 120_000 }, () => {
  it("without waiting returns the unfinished job; get_job waits for it", async () => {
    const client = await connect(await stack.createAccount());
    const held = holdCalls(stack.provider);
    const started = await client.callTool({
      name: "generate_image",
      arguments: { ...image, wait_seconds: 0 },
    });
    const { id, status } = jobOf(started);
    expect(["pending", "processing"]).toContain(status);
    expect(started.content[0]).toMatchObject({ text: expect.stringContaining(`"${id}"`) });

    const done = await client.callTool(
      { name: "get_job", arguments: { job_id: id, wait_seconds: 60 } },
      { onprogress: () => held.release() },
    );
    expect(jobOf(done)).toMatchObject({ id, status: "completed" });
  });

  it("with an idempotency key runs once across MCP and HTTP", async () => {
    const account = await stack.createAccount("1");
    const client = await connect(account);
    const call = (body: object) =>
      client.callTool({
        name: "generate_image",
        arguments: { ...body, idempotency_key: "one", wait_seconds: 60 },
      });
    const first = jobOf(await call(image));
    expect(jobOf(await call(image)).id).toBe(first.id);
    const overHttp = await stack.request(account, "POST", "/v1/generate/image", image, {
      "Idempotency-Key": "one",
    });
    expect(overHttp.headers.get("Idempotent-Replayed")).toBe("true");
    expect(overHttp.headers.get("X-Service-Job-Id")).toBe(first.id);
    expect(errorOf(await call({ ...image, prompt: "another" })).error).toBe(
      "idempotency_key_reused",
    );
    const balance = await client.callTool({ name: "check_balance" });
    expect(balance.structuredContent).toMatchObject({ balance_eur: "0.95" });
  });

  it("links to an image without a thumbnail that is too large to inline, and to one that can't be read", async () => {
    const client = await connect(await stack.createAccount());
    const { id } = jobOf(
      await client.callTool({ name: "generate_image", arguments: { ...image, wait_seconds: 60 } }),
    );
    const read = async () => {
      const { content } = await client.callTool({ name: "get_job", arguments: { job_id: id } });
      return content.map(({ type }) => type);
    };
    expect(await read()).toEqual(["text", "text", "resource_link", "image"]);

    const files = join((stack.environment["STORAGE_URL"] ?? "").slice("file:".length), "renders");
    await rename(files, `${files}.away`);
    // A symlink loop causes a read error instead of a missing file.
    await symlink("renders", files);
    expect(await read()).toEqual(["text", "text", "resource_link"]);
    await rm(files);
    await rename(`${files}.away`, files);
    expect(await read()).toEqual(["text", "text", "resource_link", "image"]);

    await stack.database.query(
      `UPDATE image SET deleted_at = now() FROM render
        WHERE render.id = render_id AND generation_id = $1 AND format = 'thumbnail'`,
      [id],
    );
    expect(await read()).toEqual(["text", "text", "resource_link", "image"]);
    await stack.database.query(
      `UPDATE image SET size_bytes = 1000001 FROM render
        WHERE render.id = render_id AND generation_id = $1`,
      [id],
    );
    expect(await read()).toEqual(["text", "text", "resource_link"]);
  });

  it.each([
    {
      of: "generate_image",
      input: { model: image.model, promt: "a boat" },
      error: "invalid_request",
      says: 'did you mean "prompt"?',
    },
    {
      of: "generate_image",
      input: { ...image, model: "nobody" },
      error: "model_not_found",
      says: "list_models",
    },
    {
      of: "generate_image",
      input: { ...image, idempotency_key: "two words" },
      error: "invalid_request",
      says: "visible ASCII",
    },
    {
      of: "generate_story",
      input: { ...story, model: "builtin-pattern" },
      error: "model_not_capable",
      says: "list_models",
    },
    {
      of: "generate_story",
      input: {
        ...story,
        characters: [
          ...story.characters,
          {
            name: "in no scene",
            description: "a sailor",
            reference: { job_id: "019a9f3c-5f0e-7c31-9b7d-00000000dead" },
          },
        ],
      },
      error: "reference_unreachable",
      says: "no completed job",
    },
    {
      of: "get_job",
      input: { job_id: "1" },
      error: "job_not_found",
      says: "list_jobs",
    },
    {
      of: "cancel_job",
      input: { job_id: "1" },
      error: "job_not_found",
      says: "list_jobs",
    },
    {
      of: "list_jobs",
      input: { cursor: "1" },
      error: "invalid_request",
      says: "next_cursor",
    },
    {
      of: "list_jobs",
      input: { staus: "failed" },
      error: "invalid_request",
      says: 'did you mean "status"?',
    },
    {
      of: "check_balance",
      input: { account: "another" },
      error: "invalid_request",
      says: "account",
    },
  ])("returns $error and the remedy for a wrong request: $of", async (wrong) => {
    const client = await connect(await stack.createAccount());
    const body = errorOf(await client.callTool({ name: wrong.of, arguments: wrong.input }));
    expect(body.error).toBe(wrong.error);
    expect(JSON.stringify([body.message, body.details])).toContain(
      JSON.stringify(wrong.says).slice(1, -1),
    );
  });

  it("is refused without credit, and reports why a job failed", async () => {
    const poor = await connect(await stack.createAccount("0"));
    const refused = await poor.callTool({ name: "generate_image", arguments: image });
    expect(errorOf(refused)).toMatchObject({
      error: "insufficient_credit",
      details: { required_eur: "0.05" },
    });
    const client = await connect(await stack.createAccount());
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    const failed = await client.callTool({
      name: "generate_image",
      arguments: { ...image, wait_seconds: 60 },
    });
    // The error includes the job, so that no second request is needed.
    expect(errorOf(failed)).toMatchObject({
      error: "provider_refused",
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it("quotes a request and sums the usage, with prices in the descriptions", async () => {
    const client = await connect(await stack.createAccount("1"));
    const { tools } = await client.listTools();
    const generate = tools.find(({ name }) => name === "generate_image");
    expect(generate?.description).toMatch(/Each image costs \d+\.\d+ to \d+\.\d+ EUR/);
    for (const name of ["get_quote", "get_usage"]) {
      const tool = tools.find((one) => one.name === name);
      expect(tool?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
    const quoted = await client.callTool({
      name: "get_quote",
      arguments: { operation: "image", request: image },
    });
    const { price_eur } = quoteSchema.parse(quoted.structuredContent);
    await client.callTool({ name: "generate_image", arguments: image });
    const used = await client.callTool({ name: "get_usage", arguments: { group_by: "model" } });
    expect(usageSchema.parse(used.structuredContent).total).toEqual({
      jobs: 1,
      images: 1,
      failed: 0,
      cost_eur: price_eur,
    });
    const wrong = { operation: "image", request: { ...image, promt: "" } };
    const refused = await client.callTool({ name: "get_quote", arguments: wrong });
    expect(refused.isError).toBe(true);
  });

  it("names only the models and prices that the key may use", async () => {
    const account = await stack.createAccount();
    const { key } = await createKey(stack.database, {
      accountId: account.accountId,
      name: "limited",
      pepper: stack.environment["KEY_PEPPER"] ?? "",
      models: ["fake-blind"],
    });
    const client = await connect({ ...account, key });
    const { tools } = await client.listTools();
    const generate = tools.find(({ name }) => name === "generate_image");
    expect(generate?.description).toMatch(/Each image costs 0\.05 EUR\.$/);
    expect(JSON.stringify(tools)).not.toMatch(/builtin-|\{prices\}/);
    const { structuredContent } = await client.callTool({ name: "list_models", arguments: {} });
    const { models } = modelList.pick({ models: true }).parse(structuredContent);
    expect(models.map(({ id }) => id)).toEqual(["fake-blind"]);
  });

  it("uploads an image that a request can refer to, and refuses other files", async () => {
    const account = await stack.createAccount();
    const client = await connect(account);
    const upload = (bytes: Buffer) =>
      client.callTool({ name: "upload_image", arguments: { image: bytes.toString("base64") } });
    const size = { width: 32, height: 24, channels: 3, background: "#246" } as const;
    const png = await sharp({ create: size }).png().toBuffer();
    const stored = uploadSchema.parse((await upload(png)).structuredContent);
    expect(stored).toMatchObject({ width: 32, height: 24, format: "png", hash: sha256(png) });
    expect((await fetch(stored.url)).status).toBe(200);
    const reference_images = [{ upload_id: stored.id, description: "the colours" }];
    const request = { ...image, reference_images, wait_seconds: 60 };
    const generated = await client.callTool({ name: "generate_image", arguments: request });
    expect(jobOf(generated).status).toBe("completed");

    expect(errorOf(await upload(Buffer.from("no image"))).error).toBe("upload_invalid");
    const { accountId } = account;
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    const reading = { accountId, name: "reading", pepper, scopes: ["read"] as const };
    const { id, key } = await createKey(stack.database, reading);
    const reader = await connect({ accountId, keyId: id, key });
    const refused = { name: "upload_image", arguments: { image: png.toString("base64") } };
    expect(errorOf(await reader.callTool(refused)).error).toBe("key_not_permitted");
  });

  it("can't access another account's job", async () => {
    const owner = await connect(await stack.createAccount());
    const { id } = jobOf(
      await owner.callTool({ name: "generate_image", arguments: { ...image, wait_seconds: 60 } }),
    );
    const other = await connect(await stack.createAccount());
    for (const name of ["get_job", "cancel_job"]) {
      const result = await other.callTool({ name, arguments: { job_id: id } });
      expect(errorOf(result).error).toBe("job_not_found");
    }
    const list = await other.callTool({ name: "list_jobs" });
    expect(list.structuredContent).toEqual({ jobs: [], next_cursor: null });
  });

  it("lists jobs page by page, without the links of images", async () => {
    const account = await stack.createAccount();
    const client = await connect(account);
    const list = async (query: Record<string, unknown>) => {
      const { structuredContent } = await client.callTool({ name: "list_jobs", arguments: query });
      return jobPage.parse(structuredContent);
    };
    const finished = { ...image, wait_seconds: 60 };
    await client.callTool({ name: "generate_image", arguments: finished });
    const toolInput = { ...story, wait_seconds: 60 };
    const { result } = jobOf(
      await client.callTool({ name: "generate_story", arguments: toolInput }),
    );
    const overHttp = await stack.request(account, "GET", "/v1/jobs");
    const { jobs } = jobList.parse(await overHttp.json());

    const all = await list({});
    expect(all.jobs).toEqual([
      { ...withoutImages(jobs[0]), title: result?.title },
      withoutImages(jobs[1]),
    ]);
    expect((await list({ kind: "image" })).jobs).toEqual(all.jobs.slice(1));
    expect((await list({ status: "failed" })).jobs).toEqual([]);
    const first = await list({ limit: 1 });
    expect(first.jobs).toEqual(all.jobs.slice(0, 1));
    const second = await list({ limit: 1, cursor: first.next_cursor });
    expect(second).toEqual({ jobs: all.jobs.slice(1), next_cursor: null });
  });

  it("cancels a running story after the current image", async () => {
    const client = await connect(await stack.createAccount("1"));
    const held = holdCalls(stack.provider);
    const toolInput = { ...story, wait_seconds: 0 };
    const { id } = jobOf(await client.callTool({ name: "generate_story", arguments: toolInput }));
    await held.called;
    const cancelling = await client.callTool({ name: "cancel_job", arguments: { job_id: id } });
    expect(jobOf(cancelling).status).toBe("processing");
    expect(cancelling.content[0]).toMatchObject({
      text: expect.stringContaining("is cancelled when"),
    });
    held.release();
    const end = { job_id: id, wait_seconds: 60 };
    const ended = await client.callTool({ name: "get_job", arguments: end });
    expect(jobOf(ended)).toMatchObject({ status: "cancelled", cost_eur: "0.00" });
  });

  it("answers with the estimated wait of a job that waits", async () => {
    const client = await connect(await stack.createAccount());
    const call = (wait_seconds: number) =>
      client.callTool({ name: "generate_image", arguments: { ...image, wait_seconds } });
    jobOf(await call(60));
    const ended = Promise.withResolvers<void>();
    stack.provider.behave(async () => {
      await ended.promise;
      return { kind: "image" };
    });
    const ids: string[] = [];
    while (ids.length < 20) ids.push(jobOf(await call(0)).id);
    const last = ids.at(-1) ?? "";
    const get = () => client.callTool({ name: "get_job", arguments: { job_id: last } });
    const answered = await eventually(get, (result) => !!jobOf(result).estimated_wait_seconds);
    const seconds = jobOf(answered).estimated_wait_seconds;
    const advice = `It starts in about ${seconds} s.`;
    expect(answered.content[0]).toMatchObject({ text: expect.stringContaining(advice) });
    const { structuredContent } = await client.callTool({ name: "list_jobs" });
    const [newest] = jobPage.parse(structuredContent).jobs;
    expect(newest).toMatchObject({ id: last, estimated_wait_seconds: expect.any(Number) });
    ended.resolve();
    const started = { job_id: last, wait_seconds: 60 };
    const done = await client.callTool({ name: "get_job", arguments: started });
    expect(jobOf(done)).not.toHaveProperty("estimated_wait_seconds");
  });

  it("cancels a pending job once", async () => {
    const client = await connect(await stack.createAccount("1"));
    const waiting = { ...image, model: "fake-resumable", wait_seconds: 0 };
    const { id } = jobOf(await client.callTool({ name: "generate_image", arguments: waiting }));
    const cancel = () => client.callTool({ name: "cancel_job", arguments: { job_id: id } });
    expect(jobOf(await cancel())).toMatchObject({ id, status: "cancelled" });
    const balance = await client.callTool({ name: "check_balance" });
    expect(balance.structuredContent).toMatchObject({ balance_eur: "1.00", held_eur: "0.00" });
    expect(errorOf(await cancel()).error).toBe("job_not_cancellable");
  });

  it("shares the rate limit with HTTP requests", async () => {
    const account = await stack.createAccount();
    const client = await connect(account, { url: secondApi.url });
    const call = () =>
      client.callTool({ name: "generate_image", arguments: { ...image, wait_seconds: 0 } });
    jobOf(await call());
    const refused = errorOf(await call());
    expect(refused.error).toBe("rate_limited");
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    const overHttp = await fetch(`${secondApi.url}/v1/generate/image`, {
      method: "POST",
      headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "application/json" },
      body: JSON.stringify(image),
    });
    expect(overHttp.status).toBe(429);
  });

  it("that is aborted cancels its job unless it has an idempotency key", async () => {
    const client = await connect(await stack.createAccount());

    /** Requests an image that no worker serves, and closes the call once the job exists. */
    async function askAndLeave(extra: object): Promise<string> {
      const disconnect = new AbortController();
      let jobId = "";
      const call = client.callTool(
        {
          name: "generate_image",
          arguments: { ...image, model: "fake-resumable", wait_seconds: 100, ...extra },
        },
        {
          signal: disconnect.signal,
          onprogress: ({ message = "" }) => {
            jobId = /job ([^:]+):/.exec(message)?.[1] ?? "";
            disconnect.abort();
          },
        },
      );
      await expect(call).rejects.toThrow();
      return jobId;
    }

    async function statusOf(jobId: string): Promise<string> {
      const result = await client.callTool({ name: "get_job", arguments: { job_id: jobId } });
      return jobOf(result).status;
    }

    const kept = await askAndLeave({ idempotency_key: "i-will-return" });
    const left = await askAndLeave({});
    await eventually(
      () => statusOf(left),
      (status) => status === "cancelled",
    );
    expect(await statusOf(kept)).toBe("pending");
  });
});

describe("POST /mcp", () => {
  const send = (headers: Record<string, string>, method = "POST", body: unknown = {}) =>
    fetch(`${stack.url}/mcp`, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
    });

  it("is served by any process, without sessions", async () => {
    const account = await stack.createAccount();
    const urls = [stack.url, secondApi.url];
    let sent = 0;
    const client = await connect(account, {
      mode: "legacy",
      fetch: (url, init) => fetch(new URL(new URL(url).pathname, urls[sent++ % 2]), init),
    });
    for (const _ of urls) {
      expect((await client.listTools()).tools).toHaveLength(18);
      expect(await client.callTool({ name: "check_balance" })).not.toHaveProperty("isError", true);
    }
    expect(sent).toBeGreaterThan(3);
  });

  it("requires a key and challenges as in RFC 6750", async () => {
    const without = await send({});
    expect(without.status).toBe(401);
    expect(without.headers.get("WWW-Authenticate")).toBe('Bearer realm="atelier"');
    const wrong = await send({ Authorization: "Bearer wrong" });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("WWW-Authenticate")).toBe(
      'Bearer realm="atelier", error="invalid_token"',
    );
    expect(errorBody.parse(await wrong.json()).error).toBe("unauthorized");
  });

  it("refuses foreign origins and accepts its own", async () => {
    const { key } = await stack.createAccount();
    const Authorization = `Bearer ${key}`;
    for (const Origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
      expect((await send({ Authorization, Origin })).status).toBe(403);
    }
    expect((await send({ Authorization, Origin: stack.url })).status).not.toBe(403);
  });

  it.each(["GET", "DELETE"])(
    "returns 405 for %s, because it has no streams and no sessions",
    async (method) => {
      const { key } = await stack.createAccount();
      const response = await send({ Authorization: `Bearer ${key}` }, method);
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe("POST");
    },
  );

  it("explains an error when a tool's name is not a string", async () => {
    const { key } = await stack.createAccount();
    for (const params of [{ name: { toString: 1, valueOf: 1 } }, { name: 1 }, {}, null]) {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const headers = {
        Authorization: `Bearer ${key}`,
        Accept: "application/json, text/event-stream",
      };
      const response = await send(headers, "POST", message);
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).toMatch(/"error":\{"code":-32\d{3}/);
    }
  });

  it("refuses batches", async () => {
    const { key } = await stack.createAccount();
    const response = await send({ Authorization: `Bearer ${key}` }, "POST", [{}, {}]);
    expect(response.status).toBe(400);
    expect(errorBody.parse(await response.json()).message).toContain("one message at a time");
  });
});
