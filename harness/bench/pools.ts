import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { processTuning } from "@atelier/process";
import { startSerialEngine, type SerialEngine } from "@atelier/models/testing";
import { startStack, threadPerCore, type Stack, type TestAccount } from "@atelier/testing";
import { startServices } from "../shared/start-services.ts";
import { withoutLimits } from "./without-limits.ts";

/**
 * Measures several servers behind one provider. Servers make one image at a time, of 64 × 64 pixels, so
 * that this machine is not the limit.
 *
 * npm run bench -- pools [--seconds N] [--image-ms N] [--load-ms N]
 *
 * - Throughput of three servers behind one model, and from the moment on at which one of them is killed
 *   under load, beside what the same servers make without the service.
 * - Loads of two models on two servers during 200 alternating images of three workers.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: "string", default: "40" },
    "image-ms": { type: "string", default: "500" },
    "load-ms": { type: "string", default: "5000" },
  },
});
const seconds = Number(values.seconds);
const imageMs = Number(values["image-ms"]);
const loadMs = Number(values["load-ms"]);
const size = 64;
const services = await startServices("pools");
const { directory } = services;
const engines = await Promise.all([1, 2, 3].map(() => startSerialEngine({ imageMs })));
const loading = await Promise.all([1, 2].map(() => startSerialEngine({ imageMs: 100, loadMs })));
try {
  const bound = await measureBound(engines);
  const stack = await start();
  try {
    const account = await stack.createAccount("1000000");
    await measureThroughput(stack, account, bound);
    await countLoads(stack, account);
  } finally {
    await stack.stop();
  }
} finally {
  await Promise.all([...engines, ...loading].map((engine) => engine.kill()));
  await services.stop();
}

/** Images per second of each server without the service, with two requests at a time. */
async function measureBound(measured: readonly SerialEngine[]): Promise<number> {
  const until = performance.now() + (seconds / 4) * 1_000;
  const startedAt = performance.now();
  let made = 0;
  let endedAt = startedAt;
  const request = { prompt: "a lighthouse", width: size, height: size, seed: 1 };
  const body = JSON.stringify({
    ...request,
    override_settings: { sd_model_checkpoint: "checkpoint-one" },
  });
  await Promise.all(
    [...measured, ...measured].map(async ({ url }) => {
      while (performance.now() < until) {
        const response = await fetch(`${url}/sdapi/v1/txt2img`, { method: "POST", body });
        await response.arrayBuffer();
        made++;
        endedAt = performance.now();
      }
    }),
  );
  return ((made / (endedAt - startedAt)) * 1_000) / measured.length;
}

async function start(): Promise<Stack> {
  const providersFile = join(directory, "providers.json");
  const describe = (id: string) => ({
    id,
    name: id,
    description: "On servers of the bench.",
    provider_model: `checkpoint-${id}`,
    supports_multiturn: false,
    max_reference_images: 0,
    aspect_ratios: ["1:1"],
    default_aspect_ratio: "1:1",
    default_image_size: "0.5K",
    sizes: { multiple_of: size, min: size, max: 512, max_pixels: 512 ** 2 },
    prices_eur: { "0.5K": "0.01" },
    retires_at: null,
    successor: null,
  });
  const provider = (servers: readonly SerialEngine[], ...models: readonly string[]) => ({
    kind: "automatic1111",
    base_urls: servers.map(({ url }) => ({ url })),
    models: models.map(describe),
  });
  const providers = {
    three: provider(engines, "one"),
    two: provider(loading, "first", "second"),
  };
  await writeFile(providersFile, JSON.stringify({ providers }));
  return startStack({
    postgresUrl: services.postgresUrl,
    processes: true,
    redisUrl: services.queues[0]?.redisUrl ?? null,
    workers: 3,
    workerEntry: "apps/worker/src/main.ts",
    environment: {
      NODE_ENV: "production",
      ...processTuning,
      ...threadPerCore,
      PROVIDERS_FILE: providersFile,
      CATALOGUE_FILE: "",
      WATERMARK_SECRET: "the watermark secret of the bench",
      ...withoutLimits,
      WORKER_LOCK_SECONDS: "10",
      PROVIDER_TIMEOUT_SECONDS: "120",
    },
  });
}

async function generate(stack: Stack, account: TestAccount, model: string): Promise<number> {
  const body = { model, prompt: "a lighthouse at dusk", width: size, height: size };
  const response = await stack.request(account, "POST", "/v1/generate/image", body);
  await response.arrayBuffer();
  return response.status;
}

/** Keeps the queue full: 24 clients wait for an image each. */
async function measureThroughput(stack: Stack, account: TestAccount, bound: number): Promise<void> {
  const doneAt: number[] = [];
  let lost = 0;
  const over = new AbortController();
  const clients = Promise.all(
    Array.from({ length: 24 }, async () => {
      while (!over.signal.aborted) {
        const status = await generate(stack, account, "one");
        if (status === 200) doneAt.push(performance.now());
        else lost++;
      }
    }),
  );
  /** Images per second from the first to the last image in a time. */
  const measure = async () => {
    const from = doneAt.length;
    await delay(seconds * 1_000);
    const inside = doneAt.slice(from);
    return ((inside.length - 1) / ((inside.at(-1) ?? 0) - (inside[0] ?? 0))) * 1_000;
  };
  await delay(Math.max(5_000, 10 * imageMs));
  const three = await measure();
  const killedAt = performance.now();
  const before = doneAt.length;
  await engines[0]?.kill();
  const two = await measure();
  const gaps = doneAt
    .slice(before)
    .map((at, index) => at - (doneAt[before + index - 1] ?? killedAt));
  over.abort();
  await clients;

  const rows = [
    ["three servers", three, 3 * bound],
    ["two, from the kill of one on", two, 2 * bound],
  ] as const;
  process.stdout.write(
    "\n| | Images/s | Without the service | Ratio |\n| --- | --: | --: | --: |\n",
  );
  for (const [name, rate, limit] of rows) {
    const cells = [rate.toFixed(2), limit.toFixed(2), (rate / limit).toFixed(3)];
    process.stdout.write(`| ${name} | ${cells.join(" | ")} |\n`);
  }
  process.stdout.write(
    `\n${lost} of ${doneAt.length + lost} images lost; the longest pause after the kill is ${Math.max(...gaps).toFixed(0)} ms.\n`,
  );
}

async function countLoads(stack: Stack, account: TestAccount): Promise<void> {
  const models = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? "first" : "second"));
  let next = 0;
  const statuses = new Set<number>();
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      for (let model = models[next++]; model !== undefined; model = models[next++]) {
        statuses.add(await generate(stack, account, model));
      }
    }),
  );
  const loads = loading.reduce((sum, engine) => sum + engine.loads.length, 0);
  const made = loading.reduce((sum, engine) => sum + engine.made.length, 0);
  process.stdout.write(
    `${loads} loads of ${loadMs} ms for ${made} alternating images of two models on two servers (status ${[...statuses].join(", ")}).\n`,
  );
}
