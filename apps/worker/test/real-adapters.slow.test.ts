import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "@atelier/local-services";
import { createDevelopmentCertificates, type Marker } from "@atelier/provenance";
import { createMarker, verifyProvenance } from "@atelier/provenance/images";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import {
  inventedText,
  startGeminiServer,
  startInventedServer,
  startOpenAiServer,
  startSdcppServer,
  type ProtocolCall,
  type ProtocolServer,
} from "@atelier/models/testing";
import {
  startOpenAiModerationServer,
  type OpenAiModerationServer,
} from "@atelier/testing/openai-moderation";
import sharp, { type Sharp } from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { RenderStep } from "../src/render/failpoint.ts";
import { sequential, isAlive, until, type Worker } from "./describe-queues.ts";
import { acceptJob, untilFinal } from "./jobs.ts";

/** Each key may be sent only to its own provider. */
const keys = {
  openai: "sk-proj-canary-of-openai-4f81c2",
  gemini: "AIzaCanaryOfGemini7d20e9",
  described: "canary-of-a-described-server-2c94e0",
  sdcpp: "canary-of-our-own-server-b6531a",
  moderation: "sk-canary-of-moderation-90ce47",
};

const metricsToken = "a-token-for-the-metrics-of-the-worker-51b0d9";

const ownModel = {
  id: "our-flux",
  name: "Our FLUX",
  description: "On a machine of our own.",
  provider_model: "flux",
  supports_multiturn: true,
  operations: ["image", "story", "scene", "edit"],
  max_reference_images: 4,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "0.5K",
  prices_eur: { "0.5K": "0.05" },
  vendor_price: { currency: "EUR", rules: [{ per: { image: "0.02" } }] },
  retires_at: null,
  successor: null,
};

const story = {
  characters: [{ name: "Ada", description: "a pilot in a red coat" }],
  scenes: [
    { prompt: "Ada waits at the harbour", characters: [{ name: "Ada" }] },
    { prompt: "Ada flies home", characters: [{ name: "Ada" }] },
  ],
};

let directory: string;
/** Signs the images of OpenAI with a certificate of its own while an edit is tested. */
let vendorMarker: Marker | null = null;
let signedByVendor: Uint8Array | null = null;
let openAi: ProtocolServer;
let gemini: ProtocolServer;
let sdcpp: ProtocolServer;
let described: ProtocolServer;
let moderation: OpenAiModerationServer;
let stack: Stack;
let account: TestAccount;
const workers: Worker[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-adapters-"));
  [openAi, gemini, sdcpp, described, moderation] = await Promise.all([
    startOpenAiServer({ apiKey: keys.openai, sign: signAsVendor }),
    startGeminiServer({ apiKey: keys.gemini }),
    startSdcppServer(),
    startInventedServer({ apiKey: keys.described }),
    startOpenAiModerationServer({ apiKey: keys.moderation }),
  ]);
  const providersFile = join(directory, "providers.json");
  const once = { circuit_breaker: false };
  const providers = {
    openai: { ...once, base_url: `${openAi.url}/v1` },
    gemini: { ...once, base_url: `${gemini.url}/v1beta` },
    "our-gpu": {
      ...once,
      kind: "sdcpp",
      base_url: sdcpp.url,
      api_key_env: "OUR_GPU_KEY",
      models: [ownModel],
    },
    described: {
      ...once,
      kind: "http",
      description_file: "described.json",
      base_url: described.url,
      api_key_env: "DESCRIBED_KEY",
      models: [
        {
          ...ownModel,
          id: "our-described",
          default_image_size: "1K",
          prices_eur: { "1K": "0.10" },
        },
      ],
    },
  };
  await writeFile(join(directory, "described.json"), inventedText);
  await writeFile(providersFile, JSON.stringify({ providers }));
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    workers: 0,
    environment: {
      PROVIDERS_FILE: providersFile,
      CATALOGUE_FILE: "",
      OPENAI_API_KEY: keys.openai,
      GEMINI_API_KEY: keys.gemini,
      OUR_GPU_KEY: keys.sdcpp,
      DESCRIBED_KEY: keys.described,
      LOG_LEVEL: "trace",
      OTHER_REQUESTS_PER_MINUTE: "1000000",
      WORKER_LOCK_SECONDS: "4",
      PROVIDER_TIMEOUT_SECONDS: "60",
    },
  });
});

afterAll(async () => {
  await stack.stop();
  await Promise.all([openAi, gemini, sdcpp, described, moderation].map((server) => server.close()));
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  account = await stack.createAccount();
});

async function signAsVendor(image: Uint8Array): Promise<Uint8Array> {
  if (vendorMarker === null) return image;
  const model = { id: "gpt-image", name: "GPT Image", provider: "openai", procedural: false };
  const [png] = await vendorMarker.mark({
    image: { bytes: image },
    model,
    ingredients: [],
    createdAt: new Date(),
  });
  signedByVendor = png?.bytes ?? null;
  return signedByVendor ?? image;
}

async function createVendorMarker(): Promise<Marker> {
  const { rootPem, ...certificates } = await createDevelopmentCertificates();
  const claimGenerator = { name: "Vendor", version: "1" };
  return createMarker({ ...certificates, trustAnchorsPem: rootPem, claimGenerator });
}

async function upload(image: Sharp): Promise<{ upload_id: string }> {
  const response = await fetch(`${stack.url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "image/png" },
    body: new Uint8Array(await image.png().toBuffer()),
  });
  return { upload_id: ((await response.json()) as { id: string }).id };
}

const flat = (background: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } });

async function stopWorkers(): Promise<void> {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
}

afterEach(() => {
  for (const server of [openAi, gemini, sdcpp, described, moderation]) server.behave(null);
});

async function startWorker(environment: Readonly<Record<string, string>> = {}): Promise<Worker> {
  const lanes = "openai,gemini,our-gpu,described";
  const worker = await stack.startWorker({ WORKER_LANES: lanes, ...environment });
  workers.push(worker);
  return worker;
}

const accept = (operation: "image" | "story" | "edit", body: object) =>
  acceptJob(stack, account, operation, body);

const jobOf = (jobId: string) => untilFinal(stack, account, jobId);

/** Recorded outcomes of the calls for a job. */
async function outcomesOf(jobId: string): Promise<(string | null)[]> {
  const calls = await stack.database.query<{ outcome: string | null }>(
    `SELECT outcome FROM provider_call JOIN render ON render.id = render_id
      WHERE generation_id = $1 ORDER BY provider_call.attempt`,
    [jobId],
  );
  return calls.map(({ outcome }) => outcome);
}

/** Recorded costs of the calls for a job. */
function costsOf(jobId: string): Promise<{ basis: string; micro: string }[]> {
  return stack.database.query(
    `SELECT cost_basis AS basis, cost_micro_eur::text AS micro
       FROM provider_call JOIN render ON render.id = render_id WHERE generation_id = $1`,
    [jobId],
  );
}

/** Number of claims of a job's render, and the error that postponed it. */
async function triesOf(jobId: string): Promise<{ attempt: number; error: string | null }> {
  const [render] = await stack.database.query<{ attempt: number; error: string | null }>(
    `SELECT attempt, CASE WHEN status = 'ready' THEN last_error ->> 'error' END AS error
       FROM render WHERE generation_id = $1`,
    [jobId],
  );
  if (render === undefined) throw new Error("the job does not exist");
  return render;
}

interface Content {
  readonly role: string;
  readonly parts: readonly {
    readonly text?: string;
    readonly inlineData?: object;
    readonly thoughtSignature?: string;
  }[];
}

const contentsOf = ({ body }: ProtocolCall) =>
  (JSON.parse(body.toString()) as { contents: Content[] }).contents;
const pictures = (content: Content | undefined) =>
  content?.parts.filter(({ inlineData }) => inlineData !== undefined) ?? [];
const text = (content: Content | undefined) =>
  content?.parts.map((part) => part.text ?? "").join("\n") ?? "";

describe("a story", sequential, () => {
  beforeAll(() => startWorker());
  afterAll(stopWorkers);

  it("is one conversation with Gemini, with turns, signatures and references", async () => {
    const before = gemini.calls.length;
    const job = await jobOf(await accept("story", { ...story, model: "gemini-3-pro-image" }));
    expect(job).toMatchObject({ status: "completed", scenes_completed: 2, cost_eur: "0.48" });
    const [portrait, first, second, ...more] = gemini.calls.slice(before).map(contentsOf);
    expect(more).toEqual([]);

    expect(portrait?.map(({ role }) => role)).toEqual(["user"]);
    expect(text(portrait?.[0])).toContain("a pilot in a red coat");
    expect(pictures(portrait?.[0])).toHaveLength(0);

    expect(first?.map(({ role }) => role)).toEqual(["user"]);
    expect(text(first?.[0])).toContain("Ada waits at the harbour");
    // The portrait.
    expect(pictures(first?.[0])).toHaveLength(1);

    // The earlier turns, unchanged, followed by the new one.
    expect(second?.map(({ role }) => role)).toEqual(["user", "model", "user"]);
    expect(text(second?.[0])).toContain("Ada waits at the harbour");
    const [generatedImage] = pictures(second?.[1]).filter((part) => !("thought" in part));
    expect(generatedImage?.thoughtSignature).toEqual(expect.any(String));
    expect(text(second?.[2])).toContain("Ada flies home");
    expect(pictures(second?.[2]).length).toBeGreaterThan(0);
  });

  it("leaves no turn in the storage when it has ended", async () => {
    const job = await jobOf(await accept("story", { ...story, model: "gemini-3-pro-image" }));
    expect(job.status).toBe("completed");
    const stored = fileURLToPath(stack.environment["STORAGE_URL"] ?? "");
    const listFiles = async () =>
      (await readdir(stored, { recursive: true })).filter((name) => name.endsWith("turn.json"));
    await expect.poll(listFiles).toEqual([]);
  });

  it("is a chain of edits with OpenAI, each with the right references", async () => {
    const before = openAi.calls.length;
    const job = await jobOf(await accept("story", { ...story, model: "gpt-image-1-mini" }));
    expect(job).toMatchObject({ status: "completed", scenes_completed: 2, cost_eur: "0.06" });
    const calls = openAi.calls.slice(before);
    expect(calls.map(({ path }) => path)).toEqual([
      "/v1/images/generations",
      "/v1/images/edits",
      "/v1/images/edits",
    ]);
    const [, first = "", second = ""] = calls.map(({ body }) => body.toString("latin1"));
    const images = (form: string) => form.match(/name="image\[\]"/g)?.length ?? 0;
    // First the portrait; then the portrait and the previous scene.
    expect([first, second].map(images)).toEqual([1, 2]);
    expect(first).toContain("Ada waits at the harbour");
    expect(second).toContain("Ada flies home");
  });
});

describe("a call whose worker is killed", sequential, () => {
  let failpointFile: string;

  afterEach(stopWorkers);

  beforeEach(() => {
    failpointFile = join(directory, `failpoint-${crypto.randomUUID()}`);
  });

  /** Kills a worker at a step and lets another one continue. */
  async function crashAt(
    step: RenderStep,
    body: object,
    kind: "image" | "edit" = "image",
  ): Promise<string> {
    await writeFile(failpointFile, step);
    const environment = { FAILPOINT_FILE: failpointFile };
    const crashing = await startWorker(environment);
    const jobId = await accept(kind, body);
    await until(() => !isAlive(crashing));
    await writeFile(failpointFile, "no step");
    await startWorker(environment);
    return jobId;
  }

  const paid = (server: ProtocolServer, from: number) =>
    server.calls.slice(from).filter((call) => call.paid).length;

  it("is paid once when the provider's request can be resumed", async () => {
    sdcpp.behave({ kind: "slow-poll", polls: 1_000_000 });
    const before = sdcpp.calls.length;
    const worker = await startWorker();
    const jobId = await accept("image", { model: "our-flux", prompt: "a lighthouse at dusk" });
    // The order, and a query for its result.
    await until(() => sdcpp.calls.length >= before + 2);
    await worker.kill();
    sdcpp.behave(null);
    await startWorker();
    expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
    expect(paid(sdcpp, before)).toBe(1);
    expect(await outcomesOf(jobId)).toEqual(["image"]);
  });

  it("is paid once with a described provider, at the cost that it states", async () => {
    described.behave({ kind: "slow-poll", polls: 1_000_000 });
    const before = described.calls.length;
    const worker = await startWorker();
    const jobId = await accept("image", { model: "our-described", prompt: "a lighthouse at dusk" });
    await until(() => described.calls.length >= before + 2);
    await worker.kill();
    described.behave(null);
    await startWorker();
    expect(await jobOf(jobId)).toMatchObject({ status: "completed", cost_eur: "0.10" });
    expect(paid(described, before)).toBe(1);
    expect(await outcomesOf(jobId)).toEqual(["image"]);
    expect(await costsOf(jobId)).toEqual([{ basis: "reported", micro: "42000" }]);
  });

  it("is repeated at most once when it can't be resumed, and recorded", async () => {
    const before = openAi.calls.length;
    const body = { model: "gpt-image-1-mini", prompt: "a lighthouse at dusk" };
    const jobId = await crashAt("after-provider-answer", body);
    expect(await jobOf(jobId)).toMatchObject({ status: "completed", cost_eur: "0.02" });
    expect(paid(openAi, before)).toBe(2);
    expect(await outcomesOf(jobId)).toEqual(["unknown", "image"]);
  });

  it("keeps the manifest of the provider's image in that of the staged composite", async () => {
    vendorMarker = await createVendorMarker();
    const before = openAi.calls.length;
    const white = await flat("#fff").resize(32, 64).png().toBuffer();
    const jobId = await crashAt(
      "after-staging",
      {
        model: "gpt-image-1-mini",
        prompt: "a lighthouse at dusk",
        image: await upload(flat("#247")),
        mask: await upload(flat("#000").composite([{ input: white, left: 32, top: 0 }])),
      },
      "edit",
    );
    const { status, result } = await jobOf(jobId);
    vendorMarker = null;
    expect(status).toBe("completed");
    expect(paid(openAi, before)).toBe(1);
    const url = result !== null && "image_url" in result ? (result.image_url ?? "") : "";
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    const { trustAnchorsPem } = stack;
    expect(await verifyProvenance(bytes, { trustAnchorsPem })).toMatchObject({
      state: "trusted",
      actions: ["c2pa.opened", "c2pa.edited", "c2pa.placed"],
      ingredients: expect.arrayContaining([
        { title: "edited image", relationship: "parentOf", hasManifest: false },
        {
          title: "image as the provider gave it",
          relationship: "componentOf",
          hasManifest: true,
        },
      ]) as object,
    });
    // The labels of C2PA manifests (C2PA 2.4, 8.2).
    const labelsOf = (file: Uint8Array) =>
      Buffer.from(file)
        .toString("latin1")
        .match(/urn:c2pa:[0-9a-f-]{36}/g) ?? [];
    const [vendorLabel = "none"] = labelsOf(signedByVendor ?? Buffer.alloc(0));
    expect(labelsOf(bytes)).toContain(vendorLabel);
  });
});

describe("an image of an unexpected size", sequential, () => {
  beforeAll(() => startWorker());
  afterAll(stopWorkers);

  it("is recorded as a paid image and not ordered again", async () => {
    openAi.behave({ kind: "wrong-size" });
    const before = openAi.calls.length;
    const body = { model: "gpt-image-1-mini", prompt: "a lighthouse at dusk" };
    const jobId = await accept("image", body);
    expect(await jobOf(jobId)).toMatchObject({
      status: "failed",
      error: { error: "provider_error", message: expect.stringContaining("in another size") },
    });
    expect(openAi.calls.slice(before).map(({ paid }) => paid)).toEqual([true]);
    expect(await outcomesOf(jobId)).toEqual(["image"]);
  });
});

describe("a call that exceeds its lane's timeout", sequential, () => {
  afterEach(stopWorkers);

  it("continues at the provider, and the next attempt gets its image", async () => {
    sdcpp.behave({ kind: "slow-poll", polls: 1_000_000 });
    const before = sdcpp.calls.length;
    const [port = 0] = await freePorts(1);
    await startWorker({
      PROVIDER_TIMEOUT_SECONDS: "3",
      MAX_TRIES: "1000",
      WORKER_ADMIN_PORT: String(port),
      METRICS_TOKEN: metricsToken,
    });
    const jobId = await accept("image", { model: "our-flux", prompt: "a lighthouse at dusk" });
    await until(async () => {
      const [render] = await stack.database.query<{ attempt: number }>(
        "SELECT attempt FROM render WHERE generation_id = $1",
        [jobId],
      );
      return (render?.attempt ?? 0) > 1;
    });
    sdcpp.behave(null);
    expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
    const cancelled = sdcpp.calls.slice(before).filter(({ path }) => path.endsWith("/cancel"));
    expect(cancelled).toEqual([]);
    // The call costs what its image does, and is counted once.
    expect(await costsOf(jobId)).toEqual([{ basis: "computed", micro: "20000" }]);
    const scrape = await fetch(`http://127.0.0.1:${port}/metrics`, {
      headers: { Authorization: `Bearer ${metricsToken}` },
    });
    const costs = (await scrape.text())
      .split("\n")
      .filter((line) => /^atelier_(priced|vendor)_.*our-flux/.test(line));
    expect(costs.map((line) => line.replace(/\{.*\}/, "")).toSorted()).toEqual([
      "atelier_priced_calls_total 1",
      "atelier_vendor_cost_eur_total 0.02",
    ]);
  });
});

describe("remote moderation", sequential, () => {
  let count = 0;
  /** A new text each time: a worker remembers its verdicts. */
  const newPrompt = () => `a lighthouse at dusk, number ${(count += 1)}`;
  const generate = async () => {
    const body = { model: "our-flux", prompt: newPrompt() };
    return jobOf(await accept("image", body));
  };
  const startModerating = (environment: Readonly<Record<string, string>> = {}) =>
    startWorker({
      MODERATION: "openai",
      MODERATION_URL: `${moderation.url}/v1`,
      MODERATION_API_KEY: keys.moderation,
      MODERATE_IMAGES: "true",
      MAX_TRIES: "1",
      ...environment,
    });

  beforeAll(() => startModerating());
  afterAll(stopWorkers);

  it("refuses a prompt before any provider is called", async () => {
    moderation.score((judged) => (judged === "image" ? {} : { hate: 0.9 }));
    const before = sdcpp.calls.length;
    expect(await generate()).toMatchObject({
      status: "failed",
      cost_eur: "0.00",
      error: { error: "content_policy_violation", details: [{ category: "hate", path: "prompt" }] },
    });
    expect(sdcpp.calls).toHaveLength(before);
  });

  it("sends the metadata of a request neither to the classifier nor to the provider", async () => {
    moderation.score(() => ({}));
    const servers = [moderation, sdcpp];
    const before = servers.map(({ calls }) => calls.length);
    const metadata = { note: "metadata of the client" };
    const body = { model: "our-flux", prompt: "a lighthouse at noon", metadata };
    expect(await jobOf(await accept("image", body))).toMatchObject({
      status: "completed",
      metadata,
    });
    for (const [index, { calls }] of servers.entries()) {
      const sent = JSON.stringify(calls.slice(before[index]).map((call) => String(call.body)));
      expect(sent).toContain("lighthouse at noon");
      expect(sent).not.toContain("metadata of the client");
    }
  });

  it("refuses an image before delivery, charges nothing and records the decision", async () => {
    moderation.score((judged) => (judged === "image" ? { sexual: 0.9 } : {}));
    const job = await generate();
    expect(job).toMatchObject({
      status: "failed",
      cost_eur: "0.00",
      result: null,
      error: {
        error: "content_policy_violation",
        details: [{ category: "sexual", path: "image" }],
      },
    });
    const decisions = await stack.database.query(
      "SELECT allowed, category, path, moderator FROM moderation_decision WHERE generation_id = $1",
      [job.id],
    );
    const moderator = "rules-3+omni-moderation-latest";
    expect(decisions).toEqual([{ allowed: false, category: "sexual", path: "image", moderator }]);
  });

  it("refuses an image that the client sent, before any provider is called", async () => {
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: "#247" } });
    const uploaded = await fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { Authorization: `Bearer ${account.key}`, "Content-Type": "image/png" },
      body: new Uint8Array(await picture.png().toBuffer()),
    });
    const { id } = (await uploaded.json()) as { id: string };
    moderation.score((judged) => (judged === "image" ? { sexual: 0.9 } : {}));
    const before = sdcpp.calls.length;
    const jobId = await accept("edit", {
      model: "our-flux",
      prompt: newPrompt(),
      image: { upload_id: id },
    });
    const path = "image.upload_id";
    expect(await jobOf(jobId)).toMatchObject({
      status: "failed",
      cost_eur: "0.00",
      error: { error: "content_policy_violation", details: [{ category: "sexual", path }] },
    });
    expect(sdcpp.calls).toHaveLength(before);
  });

  it("moderates the markup of an edit, sends it to the vendor and names it in the manifest", async () => {
    const red = await flat("#f00").resize(16, 64).png().toBuffer();
    const transparent = { width: 64, height: 64, channels: 4 as const, background: "#0000" };
    const markup = sharp({ create: transparent }).composite([{ input: red, left: 0, top: 0 }]);
    const body = {
      model: "gpt-image-2.6-flare",
      image: await upload(flat("#247")),
      markup: await upload(markup),
    };
    const before = openAi.calls.length;
    let judgedImages = 0;
    moderation.score((judged) => {
      if (judged === "image") judgedImages += 1;
      return judgedImages === 2 ? { sexual: 0.9 } : {};
    });
    const refused = await jobOf(await accept("edit", { ...body, prompt: newPrompt() }));
    expect(refused.error).toMatchObject({ details: [{ path: "markup.upload_id" }] });
    expect(openAi.calls).toHaveLength(before);

    moderation.score(() => ({}));
    const jobId = await accept("edit", { ...body, prompt: newPrompt() });
    const { status, result } = await jobOf(jobId);
    expect(status).toBe("completed");
    // The server has checked that it has the size of the image, and transparent pixels.
    const sent = openAi.calls.slice(before).map((call) => String(call.body));
    expect(sent).toMatchObject([expect.stringContaining('name="markup"; filename="markup.png"')]);
    const needs = await stack.database.query("SELECT needs FROM render WHERE generation_id = $1", [
      jobId,
    ]);
    expect(needs).toEqual([{ needs: 3 }]);
    const url = result !== null && "image_url" in result ? (result.image_url ?? "") : "";
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    const { trustAnchorsPem } = stack;
    expect(await verifyProvenance(bytes, { trustAnchorsPem })).toMatchObject({
      state: "trusted",
      ingredients: [
        { title: "edited image", relationship: "parentOf" },
        { title: "markup of the edited image", relationship: "inputTo" },
      ],
    });
  });

  it("keeps a paid image while the classifier is down, without counting attempts", async () => {
    const before = sdcpp.calls.length;
    moderation.score((judged) => {
      // Allow the prompt, but fail on the image at first.
      if (judged !== "image") moderation.behave({ kind: "server-error", status: 500, at: "order" });
      return {};
    });
    const jobId = await accept("image", { model: "our-flux", prompt: newPrompt() });
    // Claimed more often than the attempts would allow.
    await until(async () => (await triesOf(jobId)).attempt >= 2);
    await until(async () => (await triesOf(jobId)).error === "overloaded");
    moderation.score(() => ({}));
    moderation.behave(null);
    expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
    const orders = sdcpp.calls.slice(before).filter(({ method }) => method === "POST");
    expect(orders).toHaveLength(1);
  });

  it("blocks generation while it is down unless the operator allows it", async () => {
    moderation.score(() => ({}));
    moderation.behave({ kind: "server-error", status: 500, at: "order" });
    const before = sdcpp.calls.length;
    expect(await generate()).toMatchObject({ status: "failed", error: { error: "overloaded" } });
    expect(sdcpp.calls).toHaveLength(before);
    await stopWorkers();
    await startModerating({ MODERATION_WHEN_DOWN: "allow" });
    expect(await generate()).toMatchObject({ status: "completed" });
  });
});

describe("a guard model", sequential, () => {
  afterEach(stopWorkers);

  it.each([
    ["llama-guard", "safe", 1],
    ["shieldgemma", "No", 5],
  ])("of the kind %s is asked once per story and policy", async (kind, safe, each) => {
    moderation.say(() => safe);
    await startWorker({
      MODERATION: kind,
      MODERATION_URL: `${moderation.url}/v1`,
      MODERATION_API_KEY: keys.moderation,
      MODERATION_MODEL: "guard",
    });
    const before = moderation.calls.length;
    const job = await jobOf(await accept("story", { model: "our-flux", ...story }));
    expect(job).toMatchObject({ status: "completed" });
    const asked = moderation.calls.slice(before).map(({ body }) => String(body));
    // The probe at the start of the worker judges a text of its own.
    const ofStory = asked.filter((body) => !body.includes("a lighthouse at dusk"));
    // The prompts of the portrait and of two scenes, together.
    expect(ofStory).toHaveLength(each);
  });
});

describe("a wrong setting of remote moderation", sequential, () => {
  const startWithKey = async (key: string, environment: Readonly<Record<string, string>> = {}) => {
    const [port = 0] = await freePorts(1);
    await startWorker({
      MODERATION: "openai",
      MODERATION_URL: `${moderation.url}/v1`,
      MODERATION_API_KEY: key,
      MAX_TRIES: "1",
      WORKER_ADMIN_PORT: String(port),
      ...environment,
    });
    return async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return { status: response.status, body: (await response.json()) as { moderation: string } };
    };
  };
  afterEach(stopWorkers);

  it("does not stop the start, is named by the log and /readyz, and charges nothing", async () => {
    const readiness = await startWithKey("sk-wrong");
    await until(async () => (await readiness()).body.moderation !== "ok");
    const { status, body } = await readiness();
    expect(status).toBe(503);
    expect(body.moderation).toMatch(/^MODERATION_API_KEY: the remote model refuses the key/);
    const lines = (await workers.at(-1)?.log())?.split("\n") ?? [];
    const line =
      lines.find((entry) => entry.includes("remote moderation is misconfigured")) ?? "{}";
    expect(JSON.parse(line)).toMatchObject({ level: 50, reason: body.moderation });
    const request = { model: "our-flux", prompt: "a lighthouse at dawn" };
    expect(await jobOf(await accept("image", request))).toMatchObject({
      status: "failed",
      cost_eur: "0.00",
      error: {
        error: "internal_error",
        message: expect.stringContaining("Moderation is not configured correctly") as string,
      },
    });
  });

  it("leaves a worker in service that may use the rules alone, as degraded", async () => {
    const readiness = await startWithKey("sk-wrong", { MODERATION_WHEN_DOWN: "allow" });
    await until(async () => (await readiness()).body.moderation !== "ok");
    expect(await readiness()).toMatchObject({ status: 200, body: { status: "degraded" } });
  });

  it("is told from an outage, which leaves the worker ready and degraded", async () => {
    moderation.behave({ kind: "server-error", status: 503, at: "order" });
    const readiness = await startWithKey(keys.moderation);
    await until(async () => (await readiness()).body.moderation !== "ok");
    expect(await readiness()).toMatchObject({
      status: 200,
      body: { status: "degraded", moderation: "unavailable: status 503" },
    });
  });
});

describe("keys", sequential, () => {
  afterAll(stopWorkers);

  const secrets = [...Object.values(keys), "sk-proj-a-wrong-key-of-openai"];

  it("are in no log, error or row, also when a provider rejects them", async () => {
    await startWorker({ OPENAI_API_KEY: secrets.at(-1) ?? "", MAX_TRIES: "1" });
    const job = await jobOf(
      await accept("image", { model: "gpt-image-1-mini", prompt: "a lighthouse" }),
    );
    expect(job).toMatchObject({ status: "failed", error: { error: "provider_error" } });

    const logs = await Promise.all([stack.api, ...stack.workers].map((program) => program.log()));
    expect(logs.join("")).toContain('"render done"');
    const rows = await everyRow();
    expect(rows).toContain(job.id);
    for (const secret of secrets) {
      for (const written of [JSON.stringify(job), rows, ...logs]) {
        expect(written).not.toContain(secret);
        expect(written).not.toContain(Buffer.from(secret).toString("base64"));
      }
    }
    // Vendors repeat the first and last characters of an unknown key.
    expect(logs.join("")).not.toMatch(/sk-proj-|\*{3}/);
  });

  it("are sent to their own provider only", () => {
    const sent = (server: ProtocolServer) =>
      JSON.stringify(server.calls.map(({ path, headers }) => [path, headers])) +
      server.calls.map(({ body }) => body.toString("latin1")).join("");
    const servers = { openai: openAi, gemini, sdcpp, moderation };
    for (const [name, server] of Object.entries(servers)) {
      const all = sent(server);
      for (const [owner, key] of Object.entries(keys)) {
        if (owner === name) expect(all).toContain(key);
        else expect(all).not.toContain(key);
      }
    }
  });

  /** Dumps all tables of the database, including those of the queue. */
  async function everyRow(): Promise<string> {
    const tables = await stack.database.query<{ name: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const rows: string[] = [];
    for (const { name } of tables) {
      const found = await stack.database.query<{ row: string }>(
        `SELECT t::text AS row FROM ${name} AS t`,
      );
      rows.push(...found.map(({ row }) => row));
    }
    return rows.join("\n");
  }
});
