import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { startInternet } from "@atelier/guarded-fetch/testing/internet";
import { processTuning } from "@atelier/process";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { percentile } from "../shared/statistics.ts";
import { createHostileImages, type HostileImages } from "./hostile-images.ts";

/** Limits for the effect of reference images on other accounts. */
const bounds = {
  /** The neighbour's 95th percentile from request to image, relative to idle, and in ms. */
  ratio: 10,
  p95Ms: 15_000,
  /**
   * Peak memory of the worker and its decoding process: three quarters of the memory limit of its
   * container in `deploy/kubernetes`.
   */
  peakMb: 1_536,
} as const;

/** Jobs of the attacker with several references each. */
const attackJobs = 24;
/** Images of the neighbour while idle. */
const idleImages = 8;

export interface WorkerResult {
  readonly idleP95Ms: number;
  readonly p95Ms: number;
  readonly peakMb: number;
  /** Number of jobs of the attacker by their end. */
  readonly outcome: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

/**
 * Sends jobs with hostile reference images to a worker while a neighbour makes images.
 *
 * @param postgresUrl server for a database of its own.
 */
export async function attackWorker(postgresUrl: string): Promise<WorkerResult> {
  const images = await createHostileImages();
  const files = { ...images.refused, ...images.accepted };
  const internet = await startInternet({
    "pictures.example.org": {
      http: ({ url }, response) => response.end(files[url?.split("?")[0] ?? ""]),
    },
  });
  const service = await startStack({
    postgresUrl,
    workers: 0,
    environment: { ...processTuning, LOG_LEVEL: "error", MAX_UNFINISHED_JOBS: "1000" },
  });
  try {
    const worker = await service.startWorker({
      TEST_INTERNET: JSON.stringify(internet.address),
    });
    return await attack(service, worker.pid, images);
  } finally {
    await service.stop();
    await internet.close();
  }
}

async function attack(service: Stack, pid: number, images: HostileImages): Promise<WorkerResult> {
  const [attacker, neighbour] = await Promise.all([
    service.createAccount("100"),
    service.createAccount("100"),
  ]);
  // Warm-up.
  await makeImages(service, neighbour, (made) => made < 3);
  const idleP95Ms = await makeImages(service, neighbour, (made) => made < idleImages);
  const memory = watchMemory(pid);
  const jobs = await acceptAll(service, attacker, images);
  let isOver = false;
  const end = untilFinal(service, attacker, [...jobs.keys()]).finally(() => {
    isOver = true;
  });
  const p95Ms = await makeImages(service, neighbour, (made) => made < idleImages || !isOver);
  const ended = await end;
  const peakMb = await memory.stop();
  const outcome: Record<string, number> = {};
  for (const state of ended.values()) outcome[state] = (outcome[state] ?? 0) + 1;
  // On a busy machine, decoding an expensive image that is within all limits can take too long.
  const wrong = [...jobs].filter(([id, expected]) => {
    const actual = ended.get(id);
    return actual !== expected && actual !== "reference_invalid";
  });
  const mostMs = Math.min(Math.max(bounds.ratio * idleP95Ms, 5_000), bounds.p95Ms);
  return {
    idleP95Ms,
    p95Ms,
    peakMb,
    outcome,
    violations: [
      ...(p95Ms > mostMs
        ? [`an image of the neighbour takes more than ${mostMs.toFixed(0)} ms`]
        : []),
      ...(peakMb > bounds.peakMb ? [`more than ${bounds.peakMb} MB`] : []),
      ...wrong.map(([id, expected]) => `a job is ${ended.get(id)} instead of ${expected}`),
    ],
  };
}

/** Makes images one after another and returns the 95th percentile of their durations, in ms. */
async function makeImages(
  service: Stack,
  account: TestAccount,
  isNext: (made: number) => boolean,
): Promise<number> {
  const tookMs: number[] = [];
  while (isNext(tookMs.length)) {
    const startedAt = performance.now();
    const body = { model: "fake-blind", prompt: "a lighthouse" };
    const response = await service.request(account, "POST", "/v1/generate/image", body);
    await response.text();
    if (response.status !== 200) throw new Error(`the neighbour was answered ${response.status}`);
    tookMs.push(performance.now() - startedAt);
  }
  return percentile(tookMs, 0.95);
}

/** Accepts the jobs of the attacker, and returns their ids with the expected ends. */
async function acceptAll(
  service: Stack,
  attacker: TestAccount,
  { refused, accepted }: HostileImages,
): Promise<Map<string, string>> {
  const jobs = new Map<string, string>();
  const allowed = Object.keys(accepted);
  // Each job of an expensive image decodes several copies of it; each other job has one bad image.
  const sets = [
    ...Object.keys(refused).map((path) => ({ paths: [path], end: "reference_invalid" })),
    ...allowed.map((path) => ({ paths: [path, `${path}?2`], end: "completed" })),
  ];
  for (let index = 0; index < attackJobs; index++) {
    const { paths, end } = sets[index % sets.length] ?? { paths: [], end: "completed" };
    const body = {
      model: "fake-blind",
      prompt: "a lighthouse",
      reference_images: paths.map((path) => ({
        url: `https://pictures.example.org${path}`,
        description: "the style",
      })),
    };
    const headers = { Prefer: "respond-async" };
    const response = await service.request(attacker, "POST", "/v1/generate/image", body, headers);
    const id = response.headers.get("X-Service-Job-Id");
    if (id === null) throw new Error(`a job was answered ${response.status}`);
    jobs.set(id, end);
  }
  return jobs;
}

/** Waits for the end of jobs, and returns `completed` or the error code of each. */
async function untilFinal(
  service: Stack,
  account: TestAccount,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const ended = new Map<string, string>();
  for (const id of ids) {
    for (;;) {
      const response = await service.request(account, "GET", `/v1/jobs/${id}`);
      const job = (await response.json()) as {
        readonly status: string;
        readonly error?: { readonly error: string } | null;
      };
      if (!["pending", "processing"].includes(job.status)) {
        ended.set(id, job.error?.error ?? job.status);
        break;
      }
      await delay(100);
    }
  }
  return ended;
}

/** Samples the resident memory of a process and its children; `stop` returns the peak in MB. */
function watchMemory(pid: number): { stop(): Promise<number> } {
  let peakMb = 0;
  const over = new AbortController();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      peakMb = Math.max(peakMb, await residentMb(pid));
      await delay(20);
    }
  })();
  return {
    async stop() {
      over.abort();
      await sampling;
      return peakMb;
    },
  };
}

async function residentMb(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const pids = [pid, ...children.split(" ").filter(Boolean).map(Number)];
  const sizes = await Promise.all(
    pids.map(async (one) => {
      // A child may end meanwhile.
      const status = await readFile(`/proc/${one}/status`, "utf8").catch(() => "");
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024;
}
