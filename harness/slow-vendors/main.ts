import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { auditDatabase } from "@atelier/audit";
import { job, type Job } from "@atelier/schemas";
import { startStack, type TestAccount } from "@atelier/testing";
import OpenAI from "openai";
import sharp from "sharp";
import { startImpatientProxy } from "../../apps/api/test/support/impatient-proxy.ts";
import { startServices } from "../shared/start-services.ts";

/**
 * Requests images of a vendor that answers after 135 and 250 s, and never, while all workers are replaced,
 * with the default time-outs. Fails when a call is cut off or paid twice, a charge does not match, or OpenAI's
 * client gets no image behind a proxy that closes connections after 60 s.
 *
 * npm run test:waits -- [--scale 0.05]
 *
 * `--scale` multiplies all times, those of the service by its settings.
 */
const { values } = parseArgs({ options: { scale: { type: "string", default: "1" } } });
const scale = Number(values.scale);
const seconds = (unscaled: number) => String(unscaled * scale);

const vendors = {
  "answers after 135 s": 135,
  "answers after 250 s": 250,
  "never answers": null,
} as const;
type Vendor = keyof typeof vendors;

/** Routes of a client, and what each does without an image in its response. */
const routes = {
  "OpenAI-compatible": "/v1/images/generations",
  native: "/v1/generate/image",
} as const;

/** Ways in which a proxy in front of the service ends a request after 60 s without a response. */
const proxies = ["answers 504", "cuts the connection"] as const;
const proxyLimitSeconds = 60;

/** The retries of OpenAI's client by default, and more for a vendor that takes longer than three requests. */
const retries = { "answers after 135 s": 2, "answers after 250 s": 5, "never answers": null };
type Route = keyof typeof routes;

const model = "slow-model";
const priceEur = "0.05";

/** Time after which the workers are replaced, when all calls are open. */
const restartAfterSeconds = 30;

const services = await startServices("slow-vendors");
const image = await sharp({
  create: { width: 1_024, height: 1_024, channels: 3, background: "#345" },
})
  .png()
  .toBuffer();

/** The orders that the vendor received: its bill, since it makes and charges every image. */
const orders: { readonly vendor: Vendor; isCut: boolean }[] = [];

async function order(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt } = (await json(request)) as { readonly prompt: string };
  const vendor = (Object.keys(vendors) as Vendor[]).find((name) => prompt.includes(name));
  if (vendor === undefined) throw new Error(`unknown prompt: ${prompt}`);
  const received = { vendor, isCut: false };
  orders.push(received);
  response.on("close", () => (received.isCut = !response.writableEnded));
  const answersAfter = vendors[vendor];
  if (answersAfter === null) return;
  await delay(answersAfter * scale * 1_000);
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ created: 0, data: [{ b64_json: image.toString("base64") }] }));
}

const vendorServer = createServer((request, response) => {
  order(request, response).catch(() => response.destroy());
});
vendorServer.listen(0, "127.0.0.1");
await once(vendorServer, "listening");
const vendorUrl = `http://127.0.0.1:${(vendorServer.address() as AddressInfo).port}/v1`;

const catalogueFile = join(services.directory, "catalogue.json");
const providersFile = join(services.directory, "providers.json");
const entry = {
  id: model,
  name: model,
  description: "Slow.",
  provider: "slow-vendor",
  provider_model: model,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "1K",
  max_reference_images: 0,
  supports_multiturn: false,
  retires_at: null,
  successor: null,
  prices_eur: { "1K": priceEur },
};
await writeFile(catalogueFile, JSON.stringify({ models: [entry] }));
const provider = { kind: "openai-compatible", base_url: vendorUrl, circuit_breaker: false };
await writeFile(providersFile, JSON.stringify({ providers: { "slow-vendor": provider } }));

const stack = await startStack({
  postgresUrl: services.postgresUrl,
  workers: 2,
  workerEntry: "apps/worker/src/main.ts",
  environment: {
    CATALOGUE_FILE: catalogueFile,
    PROVIDERS_FILE: providersFile,
    WORKER_LANES: "slow-vendor",
    // Empty settings count as unset: the defaults.
    PROVIDER_TIMEOUT_SECONDS: scale === 1 ? "" : seconds(300),
    WORKER_DRAIN_SECONDS: scale === 1 ? "" : seconds(320),
    FACADE_MAX_WAIT_SECONDS: scale === 1 ? "" : seconds(285),
    MAX_WAIT_SECONDS: scale === 1 ? "" : seconds(120),
    WORKER_LOCK_SECONDS: "",
    RECOVERY_AFTER_SECONDS: "",
    RECOVERY_INTERVAL_SECONDS: "",
  },
});

interface Row {
  readonly route: Route | `OpenAI's client, proxy ${(typeof proxies)[number]}`;
  readonly vendor: Vendor;
  readonly answer: string;
  readonly answerAfterSeconds: number;
  readonly job: string;
  readonly charged: string;
}

async function untilFinal(account: TestAccount, id: string): Promise<Job> {
  for (;;) {
    const response = await stack.request(account, "GET", `/v1/jobs/${id}`);
    const found = job.parse(await response.json());
    if (found.status !== "pending" && found.status !== "processing") return found;
    await delay(500);
  }
}

async function generate(route: Route, vendor: Vendor): Promise<Row> {
  const account = await stack.createAccount();
  const startedAt = performance.now();
  const body = { model, prompt: `a vendor that ${vendor}` };
  const response = await stack.request(account, "POST", routes[route], body);
  const answerAfterSeconds = (performance.now() - startedAt) / 1_000;
  const { error } = (await response.json()) as { error?: string | { code: string } };
  const code = typeof error === "object" ? error.code : error;
  return {
    route,
    vendor,
    answer: [response.status, code].filter(Boolean).join(" "),
    answerAfterSeconds,
    ...(await readOutcome(account, response.headers.get("X-Service-Job-Id"))),
  };
}

async function readOutcome(account: TestAccount, jobId: string | null) {
  const final = await untilFinal(account, jobId ?? "");
  const money = await stack.request(account, "GET", "/v1/account");
  const { balance_eur } = (await money.json()) as { balance_eur: string };
  return { job: final.status, charged: (10 - Number(balance_eur)).toFixed(2) };
}

/** Requests an image with OpenAI's client, which repeats its request when the proxy has given up. */
async function generateBehind(
  onTimeout: (typeof proxies)[number],
  vendor: Vendor,
  maxRetries: number,
): Promise<Row> {
  const account = await stack.createAccount();
  const proxy = await startImpatientProxy(stack.url, proxyLimitSeconds * scale * 1_000, onTimeout);
  const openai = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: account.key, maxRetries });
  const startedAt = performance.now();
  const prompt = `a vendor that ${vendor}`;
  const { data, response } = await openai.images.generate({ model, prompt }).withResponse();
  const answerAfterSeconds = (performance.now() - startedAt) / 1_000;
  const hasImage = data.data?.[0]?.b64_json !== undefined;
  await proxy.stop();
  return {
    route: `OpenAI's client, proxy ${onTimeout}`,
    vendor,
    answer: hasImage ? String(response.status) : "no image",
    answerAfterSeconds,
    ...(await readOutcome(account, response.headers.get("X-Service-Job-Id"))),
  };
}

/** Replaces each worker by a new one, which starts first. */
async function replaceWorkers(): Promise<number> {
  await delay(restartAfterSeconds * scale * 1_000);
  const startedAt = performance.now();
  await Promise.all(
    [...stack.workers].map(async (worker) => {
      await stack.startWorker();
      await worker.stop();
    }),
  );
  return (performance.now() - startedAt) / 1_000;
}

try {
  const restarted = replaceWorkers();
  const rows = await Promise.all(
    (Object.keys(vendors) as Vendor[]).flatMap((vendor) => {
      const maxRetries = retries[vendor];
      return [
        ...(Object.keys(routes) as Route[]).map((route) => generate(route, vendor)),
        ...(maxRetries === null
          ? []
          : proxies.map((onTimeout) => generateBehind(onTimeout, vendor, maxRetries))),
      ];
    }),
  );
  const restartSeconds = await restarted;
  const outcomes = await stack.database.query<{ outcome: string; calls: number }>(
    "SELECT outcome::text, count(*)::int AS calls FROM provider_call GROUP BY 1 ORDER BY 1",
  );
  const violations = (await auditDatabase(stack.database)).filter((one) => one.violations > 0);
  process.stdout.write("| vendor | route | the client has | after | job | charged |\n");
  process.stdout.write("| --- | --- | --- | --- | --- | --- |\n");
  for (const { vendor, route, answer, answerAfterSeconds, job: status, charged } of rows) {
    const after = `${answerAfterSeconds.toFixed(1)} s`;
    const cells = [vendor, route, answer, after, status, `${charged} EUR`];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
  process.stdout.write(
    `\n${rows.length} requests, ${orders.length} orders at the vendor, outcomes ${JSON.stringify(outcomes)}; all workers replaced in ${restartSeconds.toFixed(1)} s.\n`,
  );

  const problems = [
    ...violations.map(({ invariant }) => invariant),
    ...(orders.length === rows.length ? [] : ["a call was paid twice"]),
    ...orders
      .filter(({ vendor, isCut }) => isCut && vendors[vendor] !== null)
      .map(({ vendor }) => `a call was cut off: ${vendor}`),
    ...rows
      .filter(({ vendor, job: status, charged }) =>
        vendors[vendor] === null
          ? status !== "failed" || charged !== "0.00"
          : status !== "completed" || charged !== priceEur,
      )
      .map(({ vendor, route }) => `wrong outcome or charge: ${vendor}, ${route}`),
    ...rows
      .filter((row) => row.route !== "native" && vendors[row.vendor] !== null)
      .filter(({ answer }) => answer !== "200")
      .map(({ vendor }) => `an OpenAI-compatible client has no image: ${vendor}`),
  ];
  for (const problem of problems) process.stdout.write(`PROBLEM: ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await stack.stop();
  await services.stop();
  vendorServer.closeAllConnections();
  vendorServer.close();
}
