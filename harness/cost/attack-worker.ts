import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { processTuning } from "@atelier/process";
import { startStack, threadPerCore, type Stack, type TestAccount } from "@atelier/testing";
import { percentile } from "../shared/statistics.ts";

/** Jobs of one account that cost a worker much. */
export interface WorkerAttack {
  /** Limits for the effect of the attack on other accounts. */
  readonly bounds: {
    /**
     * The neighbour's 95th percentile from request to image, relative to its p95 on an idle worker, which
     * counts as at least 500 ms.
     */
    readonly ratio: number;
    readonly p95Ms: number;
    /** Peak resident memory of the worker and its decoding process. */
    readonly peakMb: number;
  };
  /** The model of the neighbour's images; default: one that answers at once. */
  readonly neighbourModel?: string;
  /** Duration of a call of the provider, in milliseconds; default: it answers at once. */
  readonly callMs?: number;
  /** Images of the neighbour while idle, and at least as many during the attack. Default: 8. */
  readonly neighbourImages?: number;
  /** Environment of the API and the worker. */
  readonly environment: Readonly<Record<string, string>>;
  /** Accepts the jobs, and returns their ids with the ends that each may have. */
  submit(service: Stack, attacker: TestAccount): Promise<ReadonlyMap<string, readonly string[]>>;
  close(): Promise<void>;
}

export interface WorkerResult {
  readonly idleP95Ms: number;
  readonly p95Ms: number;
  readonly peakMb: number;
  /** Number of jobs of the attacker by their end. */
  readonly outcome: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

/**
 * Attacks a worker with the default concurrency while a neighbour makes images.
 *
 * @param postgresUrl server for a database of its own.
 */
export async function attackWorker(
  postgresUrl: string,
  attack: WorkerAttack,
): Promise<WorkerResult> {
  const service = await startStack({
    postgresUrl,
    processes: true,
    workers: 0,
    environment: {
      ...processTuning,
      LOG_LEVEL: "error",
      MAX_UNFINISHED_JOBS: "1000",
      PROVIDER_TIMEOUT_SECONDS: "120",
      ...threadPerCore,
      ...attack.environment,
    },
  });
  try {
    const worker = await service.startWorker(attack.environment);
    return await measure(service, worker.pid, attack);
  } finally {
    await service.stop();
  }
}

async function measure(service: Stack, pid: number, attack: WorkerAttack): Promise<WorkerResult> {
  const [attacker, neighbour] = await Promise.all([
    service.createAccount("100"),
    service.createAccount("100"),
  ]);
  const { neighbourModel: model = "fake-blind", neighbourImages: images = 8, callMs = 0 } = attack;
  if (callMs > 0) {
    service.provider.behave(async () => {
      await delay(callMs);
      return { kind: "image" };
    });
  }
  const make = (isNext: (made: number) => boolean) => makeImages(service, neighbour, model, isNext);
  // Warm-up.
  await make((count) => count < 3);
  const idleP95Ms = await make((count) => count < images);
  const memory = watchMemory(pid);
  try {
    const jobs = await attack.submit(service, attacker);
    let isOver = false;
    const end = untilFinal(service, attacker, [...jobs.keys()]).finally(() => {
      isOver = true;
    });
    const p95Ms = await make((count) => count < images || !isOver);
    const ended = await end;
    const peakMb = await memory.stop();
    return judge({ idleP95Ms, p95Ms, peakMb }, jobs, ended, attack);
  } finally {
    await memory.stop();
  }
}

function judge(
  measured: Pick<WorkerResult, "idleP95Ms" | "p95Ms" | "peakMb">,
  jobs: ReadonlyMap<string, readonly string[]>,
  ended: ReadonlyMap<string, string>,
  { bounds }: WorkerAttack,
): WorkerResult {
  const { idleP95Ms, p95Ms, peakMb } = measured;
  const outcome: Record<string, number> = {};
  for (const state of ended.values()) outcome[state] = (outcome[state] ?? 0) + 1;
  const wrong = [...jobs].filter(([id, expected]) => !expected.includes(ended.get(id) ?? ""));
  const mostMs = Math.min(bounds.ratio * Math.max(idleP95Ms, 500), bounds.p95Ms);
  return {
    ...measured,
    outcome,
    violations: [
      ...(p95Ms > mostMs
        ? [`an image of the neighbour takes more than ${mostMs.toFixed(0)} ms`]
        : []),
      ...(peakMb > bounds.peakMb ? [`more than ${bounds.peakMb} MB`] : []),
      ...wrong.map(([id, expected]) => `a job is ${ended.get(id)} instead of ${expected[0]}`),
    ],
  };
}

/** Sends a request for a job, and returns the id of the job. */
export async function acceptJob(
  service: Stack,
  account: TestAccount,
  operation: string,
  body: object,
): Promise<string> {
  const id = await tryJob(service, account, operation, body);
  if (id === null) throw new Error(`a job of ${operation} was not accepted`);
  return id;
}

/** Sends a request for a job, and returns the id of the job, or null when it is refused. */
export async function tryJob(
  service: Stack,
  account: TestAccount,
  operation: string,
  body: object,
): Promise<string | null> {
  const headers = { Prefer: "respond-async" };
  const path = `/v1/generate/${operation}`;
  const response = await service.request(account, "POST", path, body, headers);
  return response.headers.get("X-Service-Job-Id");
}

/** Uploads a PNG, and returns the id of the upload. */
export async function uploadImage(
  { url }: Stack,
  { key }: TestAccount,
  bytes: Buffer,
): Promise<string> {
  const response = await fetch(`${url}/v1/uploads`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "image/png" },
    body: new Uint8Array(bytes),
  });
  if (response.status !== 201) throw new Error(`an upload was answered ${response.status}`);
  return ((await response.json()) as { readonly id: string }).id;
}

/** Makes images one after another and returns the 95th percentile of their durations, in ms. */
async function makeImages(
  service: Stack,
  account: TestAccount,
  model: string,
  isNext: (made: number) => boolean,
): Promise<number> {
  const tookMs: number[] = [];
  while (isNext(tookMs.length)) {
    const startedAt = performance.now();
    const body = { model, prompt: "a lighthouse" };
    const response = await service.request(account, "POST", "/v1/generate/image", body);
    await response.text();
    if (response.status !== 200) throw new Error(`the neighbour was answered ${response.status}`);
    tookMs.push(performance.now() - startedAt);
  }
  return percentile(tookMs, 0.95);
}

/** Waits for the end of jobs, and returns `completed` or the error code of each. */
export async function untilFinal(
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
  // The worker may have crashed, which its jobs show.
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
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
