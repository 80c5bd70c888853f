import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "@atelier/local-services";
import {
  startSdcppServer,
  startSerialEngine,
  type ProtocolServer,
  type SerialEngine,
} from "@atelier/models/testing";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  vi,
} from "vitest";
import { sequential, until, type Worker } from "./describe-queues.ts";
import { acceptJob, untilFinal } from "./jobs.ts";

const model = (id: string, more: object = {}) => ({
  id,
  name: id,
  description: "On our own machines.",
  provider_model: `checkpoint-${id}`,
  supports_multiturn: false,
  max_reference_images: 0,
  aspect_ratios: ["1:1"],
  default_aspect_ratio: "1:1",
  default_image_size: "0.5K",
  sizes: { multiple_of: 64, min: 64, max: 512, max_pixels: 262_144 },
  prices_eur: { "0.5K": "0.01" },
  retires_at: null,
  successor: null,
  ...more,
});

let directory: string;
let stack: Stack;
let account: TestAccount;
/** Three servers behind `three`, the first two also behind `two-models`. */
let engines: readonly SerialEngine[];
/** Two engines with jobs behind `jobs`. */
let jobServers: ProtocolServer[];
const workers: Worker[] = [];

const at = (index: number): SerialEngine => {
  const engine = engines[index];
  if (engine === undefined) throw new Error(`there is no engine ${index}`);
  return engine;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-pool-"));
  engines = await Promise.all(
    [1, 2, 3, 4, 5].map((number) =>
      startSerialEngine(
        // Images of the first three take longer than the delays of a busy machine, which are measured with them.
        number > 3 ? { imageMs: 40, loadMs: 5_000 } : { imageMs: 300, loadMs: 20 },
      ),
    ),
  );
  jobServers = await Promise.all([startSdcppServer(), startSdcppServer()]);
  const providersFile = join(directory, "providers.json");
  const urls = (from: number, to: number) =>
    engines.slice(from, to).map(({ url }, index) => ({ url, tags: index === 1 ? ["large"] : [] }));
  const providers = {
    three: {
      kind: "automatic1111",
      base_urls: urls(0, 3),
      models: [model("any"), model("large", { server_tags: ["large"] })],
    },
    two: {
      kind: "automatic1111",
      base_urls: urls(3, 5),
      models: [model("flux"), model("sdxl")],
    },
    jobs: {
      kind: "sdcpp",
      base_urls: jobServers.map(({ url }) => ({ url })),
      models: [model("job")],
    },
  };
  await writeFile(providersFile, JSON.stringify({ providers }));
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    processes: true,
    workers: 0,
    environment: {
      PROVIDERS_FILE: providersFile,
      CATALOGUE_FILE: "",
      GENERATIONS_PER_MINUTE: "1000000",
      OTHER_REQUESTS_PER_MINUTE: "1000000",
      MAX_UNFINISHED_JOBS: "1000",
      // A busy machine must not lose the locks of a worker.
      WORKER_LOCK_SECONDS: "10",
      PROVIDER_TIMEOUT_SECONDS: "120",
    },
  });
});

afterAll(async () => {
  await stack.stop();
  await Promise.all([
    ...engines.map((engine) => engine.kill()),
    ...jobServers.map((s) => s.close()),
  ]);
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  account = await stack.createAccount("100");
});
afterEach(async () => {
  for (const engine of engines) {
    engine.fail(null);
    engine.crashOn(null);
  }
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

/** Starts a worker and returns a function that reads its `/readyz`. */
async function startWorker(lane: string, environment: Readonly<Record<string, string>> = {}) {
  const [port = 0] = await freePorts(1);
  const worker = await stack.startWorker({
    WORKER_LANES: lane,
    WORKER_ADMIN_PORT: String(port),
    ...environment,
  });
  workers.push(worker);
  return {
    worker,
    readiness: async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return (await response.json()) as { status: string; servers?: string };
    },
  };
}

function accept(wanted: string, prompt = "a lighthouse at dusk"): Promise<string> {
  const size = wanted === "job" ? {} : { width: 64, height: 64 };
  return acceptJob(stack, account, "image", { model: wanted, prompt, ...size });
}

const jobOf = (jobId: string) => untilFinal(stack, account, jobId);

async function statusesOf(jobIds: readonly string[]): Promise<Record<string, number>> {
  const rows = await stack.database.query<{ status: string; count: number }>(
    "SELECT status, count(*)::int AS count FROM generation WHERE id = ANY($1) GROUP BY status",
    [jobIds],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const untilCompleted = (jobIds: readonly string[]) =>
  vi.waitUntil(
    async () => {
      const statuses = await statusesOf(jobIds);
      if ((statuses["failed"] ?? 0) > 0) throw new Error("an image was lost");
      return statuses["completed"] === jobIds.length;
    },
    // 200 images on a busy machine.
    { timeout: 170_000, interval: 50 },
  );

async function callsOf(jobId: string) {
  return stack.database.query<{ server: string | null; outcome: string | null }>(
    `SELECT server, outcome FROM provider_call JOIN render ON render.id = render_id
      WHERE generation_id = $1 ORDER BY provider_call.attempt`,
    [jobId],
  );
}

const places = () => stack.database.query("SELECT url FROM engine_place");

describe("three servers behind one model", sequential, () => {
  it("share the images of all workers, each with at most its concurrency", async () => {
    await Promise.all([startWorker("three"), startWorker("three")]);
    const jobIds = await Promise.all(Array.from({ length: 30 }, () => accept("any")));
    await untilCompleted(jobIds);
    const made = engines.slice(0, 3).map((engine) => engine.made.length);
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(Math.min(...made)).toBeGreaterThan(3);
    for (const engine of engines.slice(0, 3)) expect(engine.longestQueue).toBeLessThanOrEqual(2);
    expect(await places()).toEqual([]);
  });

  it("lose no image when one is killed under load, and use it again after its restart", async () => {
    const [{ readiness }] = await Promise.all([startWorker("three"), startWorker("three")]);
    // Each server is tried again, whatever a busy machine measured.
    await stack.database.query("DELETE FROM engine_speed");
    const before = at(0).made.length;
    const jobIds = await Promise.all(Array.from({ length: 40 }, () => accept("any")));
    await until(() => at(0).made.length > before + 2);
    await at(0).kill();
    await untilCompleted(jobIds);
    await until(async () => (await readiness()).servers !== undefined);
    expect(await readiness()).toMatchObject({
      status: "degraded",
      servers: `down: ${at(0).url}`,
    });
    const failed = await stack.database.query<{ tries: number }>(
      "SELECT max(tries) AS tries FROM render WHERE generation_id = ANY($1)",
      [jobIds],
    );
    // A server that is gone does not cost an attempt.
    expect(failed).toEqual([{ tries: 1 }]);

    await at(0).restart();
    // A busy machine measures its own delays as the duration of a load.
    await stack.database.query("UPDATE engine_speed SET load_ms = 20");
    await stack.database.query("UPDATE lane_health SET open_until = now()");
    await until(async () => (await readiness()).servers === undefined);
    const afterRestart = at(0).made.length;
    await until(async () => {
      await untilCompleted(await Promise.all(Array.from({ length: 30 }, () => accept("any"))));
      return at(0).made.length > afterRestart;
    });
    expect(await places()).toEqual([]);
  });

  it("make an image that one of them fails to make", async () => {
    await startWorker("three");
    await untilCompleted([await accept("any")]);
    at(0).fail(500);
    at(1).fail(500);
    const jobIds = await Promise.all(Array.from({ length: 6 }, () => accept("any")));
    await untilCompleted(jobIds);
    const outcomes = (await Promise.all(jobIds.map(callsOf))).map((calls) => calls.at(-1));
    expect(outcomes).toEqual(jobIds.map(() => ({ server: at(2).url, outcome: "image" })));
    await stack.database.query("DELETE FROM lane_health");
  });

  it("are not all crashed by one request: each loss but the first counts as an attempt", async () => {
    await startWorker("three", { MAX_TRIES: "1" });
    const prompt = "an image of more pixels than fit into memory";
    for (const engine of engines) engine.crashOn(prompt);
    const jobId = await accept("any", prompt);
    expect(await jobOf(jobId)).toMatchObject({ status: "failed" });
    const calls = await callsOf(jobId);
    expect(calls.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
    const crashed = engines.filter(({ url }) => calls.some(({ server }) => server === url));
    expect(crashed).toHaveLength(2);
    await untilCompleted([await accept("any")]);
    await Promise.all(crashed.map((engine) => engine.restart()));
    await stack.database.query("DELETE FROM lane_health");
  });

  it("make images of a model with tags at the server that has them", async () => {
    await startWorker("three");
    const jobIds = await Promise.all(Array.from({ length: 5 }, () => accept("large")));
    await untilCompleted(jobIds);
    const calls = (await Promise.all(jobIds.map(callsOf))).flat();
    expect(new Set(calls.map(({ server }) => server))).toEqual(new Set([at(1).url]));
  });
});

describe("two models on two servers", sequential, () => {
  it("are loaded at most 4 times for 200 alternating images of several workers", async () => {
    await Promise.all(["two", "two", "two"].map((lane) => startWorker(lane)));
    const jobIds: string[] = [];
    for (let number = 0; number < 200; number += 20) {
      const models = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? "flux" : "sdxl"));
      jobIds.push(...(await Promise.all(models.map((wanted) => accept(wanted)))));
    }
    await untilCompleted(jobIds);
    const pair = engines.slice(3, 5);
    expect(pair.reduce((sum, { made }) => sum + made.length, 0)).toBe(200);
    const loads = pair.flatMap((engine) => engine.loads);
    expect(loads.length).toBeLessThanOrEqual(4);
    expect(new Set(loads)).toEqual(new Set(["checkpoint-flux", "checkpoint-sdxl"]));
  });
});

describe("a call to one of several servers", sequential, () => {
  const orders = (server: ProtocolServer) => server.calls.filter(({ paid }) => paid).length;
  const jobServerAt = (url: string | null) => jobServers.find((server) => server.url === url);

  /** Starts an image that takes forever, and returns its server once it has the job. */
  async function startEndless(): Promise<{
    jobId: string;
    worker: Worker;
    server: ProtocolServer;
  }> {
    for (const server of jobServers) server.behave({ kind: "slow-poll", polls: 1_000_000 });
    const { worker } = await startWorker("jobs");
    const jobId = await accept("job");
    await until(async () => {
      const [call] = await stack.database.query(
        `SELECT 1 FROM provider_call JOIN render ON render.id = render_id
          WHERE generation_id = $1 AND request_id IS NOT NULL`,
        [jobId],
      );
      return call !== undefined;
    });
    const server = jobServerAt((await callsOf(jobId))[0]?.server ?? null);
    if (server === undefined) throw new Error("the call names no server");
    return { jobId, worker, server };
  }

  it("is resumed there after its worker was killed", async () => {
    const before = jobServers.map(orders);
    const { jobId, server, worker } = await startEndless();
    await worker.kill();
    for (const one of jobServers) one.behave(null);
    await startWorker("jobs");
    expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
    expect(await callsOf(jobId)).toEqual([{ server: server.url, outcome: "image" }]);
    const ordered = jobServers.map((one, index) => orders(one) - (before[index] ?? 0));
    expect(ordered.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await places()).toEqual([]);
  });

  it("is made by another server when its own is gone, and the lost call is recorded", async () => {
    const { jobId, server } = await startEndless();
    for (const one of jobServers) one.behave(null);
    await server.close();
    const other = jobServers.find((one) => one !== server);
    jobServers = jobServers.filter((one) => one !== server);
    expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
    expect(await callsOf(jobId)).toEqual([
      { server: server.url, outcome: "unknown" },
      { server: other?.url, outcome: "image" },
    ]);
    expect(await places()).toEqual([]);
  });

  it("waits when all servers are gone: the model is degraded, and the job completes later", async () => {
    await startWorker("two");
    await Promise.all(engines.slice(3, 5).map((engine) => engine.kill()));
    const jobId = await accept("flux");
    const status = async () => {
      const response = await stack.request(account, "GET", "/v1/models");
      const { models } = (await response.json()) as { models: { id: string; status: string }[] };
      return models.find(({ id }) => id === "flux")?.status;
    };
    await until(async () => (await status()) === "degraded");
    await Promise.all(engines.slice(3, 5).map((engine) => engine.restart()));
    await stack.database.query("UPDATE lane_health SET open_until = now()");
    expect(await jobOf(jobId)).toMatchObject({ status: "completed" });
    await until(async () => (await status()) === "available");
  });
});
