import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { whitePng } from "@atelier/guarded-fetch/testing/images";
import { startInternet, type Internet } from "@atelier/guarded-fetch/testing/internet";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { sequential, until } from "./describe-queues.ts";

/**
 * A lossless WebP of 8,192 × 4,882 equal pixels: within all limits of the header, and half a gigabyte
 * to decode.
 */
const bomb = Buffer.from("UklGRh4AAABXRUJQVlA4TBEAAAAv/1/EFAdQs840s4CBiOh/AAA=", "base64");
const picture = whitePng(3_000, 3_000);
const damaged = Buffer.from(whitePng(64, 64).fill(0xff, 60, 70));

let stack: Stack;
let internet: Internet;
let attacker: TestAccount;
let neighbour: TestAccount;

beforeAll(async () => {
  internet = await startInternet({
    "pictures.example.org": {
      http: ({ url }, response) => {
        const files: Record<string, Buffer> = { "/bomb": bomb, "/damaged": damaged };
        response.end(files[url ?? ""] ?? picture);
      },
    },
  });
  stack = await startStack({ postgresUrl: inject("postgresUrl"), processes: true, workers: 0 });
  [attacker, neighbour] = await Promise.all([stack.createAccount(), stack.createAccount()]);
});

afterAll(async () => {
  await stack.stop();
  await internet.close();
});

/** Starts a worker with these limits and returns its process id. */
async function startWorker(decodeLimits: object = {}): Promise<number> {
  const worker = await stack.startWorker({
    TEST_INTERNET: JSON.stringify(internet.address),
    TEST_REFERENCE_LIMITS: JSON.stringify({ decodeLimits }),
  });
  onTestFinished(async () => {
    stack.workers.splice(stack.workers.indexOf(worker), 1);
    await worker.stop();
  });
  return worker.pid;
}

const request = { model: "fake-blind", prompt: "a lighthouse at dusk" };

/** Accepts a job with a reference image and returns its id. */
async function accept(path: string): Promise<string | null> {
  const body = {
    ...request,
    reference_images: [{ url: `https://pictures.example.org${path}`, description: "the style" }],
  };
  const headers = { Prefer: "respond-async" };
  const response = await stack.request(attacker, "POST", "/v1/generate/image", body, headers);
  expect(response.status).toBe(202);
  return response.headers.get("X-Service-Job-Id");
}

interface Job {
  readonly status: string;
}

const jobOf = async (id: string | null) =>
  (await (await stack.request(attacker, "GET", `/v1/jobs/${id}`)).json()) as Job;

const oneFailure = {
  status: "failed",
  attempt: 1,
  error: "reference_invalid",
  charged: 0n,
  calls: 0,
  fetches: 1,
};

/** The end of a job whose first attempt failed without a fault of its request. */
const completedLater = {
  ...oneFailure,
  status: "completed",
  attempt: 2,
  error: null,
  charged: expect.any(BigInt),
  calls: 1,
};

/** Waits for the end of a job and makes images for the neighbour meanwhile, at least one. */
async function endOf(id: string | null, path: string): Promise<object> {
  const ended = new AbortController();
  const end = until(
    async () => !["pending", "processing"].includes((await jobOf(id)).status),
  ).finally(() => ended.abort());
  do {
    const response = await stack.request(neighbour, "POST", "/v1/generate/image", request);
    expect(response.status).toBe(200);
  } while (!ended.signal.aborted);
  await end;
  const [facts] = await stack.database.query<object>(
    `SELECT generation.status, attempt, error->>'error' AS error,
            coalesce(charged_micro_eur, 0) AS charged,
            (SELECT count(*)::int FROM provider_call WHERE render_id = render.id) AS calls
       FROM generation JOIN render ON generation_id = generation.id WHERE generation.id = $1`,
    [id],
  );
  const fetches = internet.seen.requests.filter(({ url }) => url === path).length;
  return { ...facts, fetches };
}

/** Ids of the child processes of a process. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

/** Waits for the decoding process. Before its program is loaded, its parent waits for it. */
async function untilDecoder(pid: number): Promise<number> {
  for (;;) {
    for (const child of await childrenOf(pid)) {
      const command = await readFile(`/proc/${child}/cmdline`, "utf8");
      if (command.includes("decode-child")) return child;
    }
    await delay(5);
  }
}

describe.skipIf(process.platform !== "linux")(
  "a bad reference image fails its job once, and others continue:",
  () => {
    it("one that takes too much memory to decode", sequential, async () => {
      const pid = await startWorker({ maxResidentBytes: 150_000_000 });
      expect(await endOf(await accept("/bomb"), "/bomb")).toEqual(oneFailure);
      expect(await childrenOf(pid)).toEqual([]);
    });

    it("one that takes too much CPU time to decode", sequential, async () => {
      const pid = await startWorker({ cpuMs: 10, wallMs: 3_600_000 });
      expect(await endOf(await accept("/slow"), "/slow")).toEqual(oneFailure);
      expect(await childrenOf(pid)).toEqual([]);
    });

    it("one that is damaged", sequential, async () => {
      await startWorker();
      expect(await endOf(await accept("/damaged"), "/damaged")).toEqual(oneFailure);
    });
  },
);

describe.skipIf(process.platform !== "linux")(
  "a job is tried again without a fault of its reference image:",
  () => {
    it("after its decoder got no CPU time", sequential, async () => {
      const pid = await startWorker({ startMs: 20_000 });
      const id = await accept("/starved");
      process.kill(await untilDecoder(pid), "SIGSTOP");
      expect(await endOf(id, "/starved")).toEqual(completedLater);
    });

    it("after its decoder was killed, without waiting for a limit", sequential, async () => {
      const pid = await startWorker({ startMs: 3_600_000 });
      const id = await accept("/killed");
      process.kill(await untilDecoder(pid), "SIGKILL");
      expect(await endOf(id, "/killed")).toEqual(completedLater);
    });
  },
);
