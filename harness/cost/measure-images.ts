import { randomBytes } from "node:crypto";
import { Agent, request as requestOf } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { processTuning } from "@atelier/process";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { readMemory } from "../bench/process-memory.ts";
import { readLoop } from "./watch-loop.ts";

/**
 * Limits for 16 requests at once that each have an image of 5 MB in base64: of resident memory beyond that
 * of the idle API, and of the time by which a timer was late while the event loop ran code.
 */
const bounds = { memoryMb: 150, stallMs: 20 } as const;
const requests = 16;
const imageBytes = 5_000_000;
/** Requests before the measurement, which compile the code. */
const warmUps = 4;

/** The measurement of 16 requests of a number of keys. */
interface ImagesResult {
  readonly keys: number;
  /** Peak of the resident memory, beyond that before any request with an image. */
  readonly memoryMb: number;
  readonly idleMb: number;
  readonly ownStallMs: number;
  readonly stallMs: number;
  readonly cpuMs: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

/** Sends 16 requests with images at once, of one key and of eight, and measures the API. */
export async function measureImages(
  postgresUrl: string,
  directory: string,
): Promise<readonly ImagesResult[]> {
  const socket = join(directory, "images.sock");
  const preload = new URL(`./watch-loop.ts?socket=${socket}`, import.meta.url);
  const service = await startStack({
    postgresUrl,
    processes: true,
    workers: 0,
    environment: {
      ...processTuning,
      NODE_OPTIONS: `--import ${preload.href}`,
      LOG_LEVEL: "error",
      MAX_WAIT_SECONDS: "0.01",
      GENERATIONS_PER_MINUTE: "100000000",
    },
  });
  try {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => service.createAccount()));
    const [first] = accounts;
    if (first === undefined) throw new Error("there is no account");
    // Ordinary requests, so that the memory before is that of an API in use.
    for (let count = 0; count < 50; count++) await service.request(first, "GET", "/v1/account");
    const { nowMb: idleMb } = await readMemory(service.api.pid);
    await sendAll(service, [first], warmUps);
    const results: ImagesResult[] = [];
    for (const keys of [[first], accounts]) {
      await delay(3_000);
      const measured = await measure(service, socket, keys, idleMb);
      // A shared machine pauses processes: what is beyond the bounds is measured again.
      const isGood = measured.violations.length === 0;
      results.push(isGood ? measured : await measure(service, socket, keys, idleMb));
    }
    return results;
  } finally {
    await service.stop();
  }
}

async function measure(
  service: Stack,
  socket: string,
  keys: readonly TestAccount[],
  idleMb: number,
): Promise<ImagesResult> {
  const { pid } = service.api;
  await readLoop(socket);
  let peakMb = idleMb;
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      peakMb = Math.max(peakMb, (await readMemory(pid)).nowMb);
      await delay(10);
    }
  })();
  const answers = await sendAll(service, keys, requests);
  done.abort();
  await watching;
  const { ownStallMs, stallMs, cpuMs } = await readLoop(socket);
  const memoryMb = peakMb - idleMb;
  const violations = [
    ...(memoryMb > bounds.memoryMb ? [`memory > ${bounds.memoryMb} MB`] : []),
    ...(ownStallMs > bounds.stallMs ? [`stall > ${bounds.stallMs} ms`] : []),
    ...(answers["202"] === requests ? [] : ["not all accepted"]),
  ];
  return { keys: keys.length, memoryMb, idleMb, ownStallMs, stallMs, cpuMs, answers, violations };
}

/** Sends requests at once, and counts the statuses of their responses. */
async function sendAll(
  service: Stack,
  keys: readonly TestAccount[],
  count: number,
): Promise<Record<string, number>> {
  const agent = new Agent();
  const base64 = pngOf(imageBytes).toString("base64");
  const body = JSON.stringify({
    model: "builtin-illustrator",
    prompt: "a blue lake",
    image: { base64 },
  });
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      send(`${service.url}/v1/generate/edit`, keys[index % keys.length]?.key ?? "", body, agent),
    ),
  );
  agent.destroy();
  const answers: Record<string, number> = {};
  for (const status of statuses) answers[status] = (answers[status] ?? 0) + 1;
  return answers;
}

function send(url: string, key: string, body: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "Content-Length": body.length,
    };
    const sent = requestOf(url, { method: "POST", headers, agent }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/** A PNG of 1,600 × 1,000 pixels by its header; a worker, which the API does not wait for, decodes it. */
function pngOf(bytes: number): Buffer {
  const header = Buffer.from(
    "89504e470d0a1a0a0000000d4948445200000640000003e808020000000000000000",
    "hex",
  );
  const data = Buffer.alloc(8);
  data.writeUInt32BE(bytes - header.length - 12);
  data.write("IDAT", 4, "latin1");
  return Buffer.concat([header.subarray(0, 33), data, randomBytes(bytes - header.length - 8)]);
}
