import { createServer, request as requestOf } from "node:http";
import { PerformanceObserver, type PerformanceEntry } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Times of the event loop and the threads of a process since the last answer, in milliseconds. */
export interface LoopReport {
  /** The longest time by which a timer was late. */
  readonly stallMs: number;
  /**
   * The longest part of such a time in which the thread of the event loop was running, without its garbage
   * collections: that of code.
   */
  readonly ownStallMs: number;
  /** The longest garbage collection. */
  readonly collectionMs: number;
  /** CPU time of the thread of the event loop. */
  readonly loopCpuMs: number;
  /** CPU time of all threads. */
  readonly cpuMs: number;
}

const intervalMs = 5;

/** A late timer, by the clock of `performance.now()`. */
interface Stall {
  readonly endedAt: number;
  readonly lateMs: number;
  /** CPU time of the thread since the timer before. */
  readonly ranMs: number;
}

/**
 * Preloaded into an API (`--import <this file>?socket=<path>`), it answers each request at the socket with a
 * `LoopReport`. A wall clock alone also counts the time that other programs of a shared machine run.
 */
function watchLoop(socket: string): void {
  let stalls: Stall[] = [];
  let collections: PerformanceEntry[] = [];
  let cpuOfLoop = process.threadCpuUsage();
  let cpu = process.cpuUsage();
  let turn = { at: performance.now(), cpu: process.threadCpuUsage() };
  setInterval(() => {
    const endedAt = performance.now();
    const lateMs = endedAt - turn.at - intervalMs;
    if (lateMs > 1) stalls.push({ endedAt, lateMs, ranMs: sum(process.threadCpuUsage(turn.cpu)) });
    turn = { at: endedAt, cpu: process.threadCpuUsage() };
  }, intervalMs).unref();
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  const ownMs = ({ endedAt, lateMs, ranMs }: Stall) => {
    const within = collections.filter(
      ({ startTime, duration }) =>
        startTime < endedAt && startTime + duration > endedAt - lateMs - intervalMs,
    );
    const collectedMs = within.reduce((total, { duration }) => total + duration, 0);
    return Math.max(0, Math.min(ranMs, lateMs - collectedMs));
  };
  const server = createServer((_request, response) => {
    collections.push(...observer.takeRecords());
    const report: LoopReport = {
      stallMs: Math.max(0, ...stalls.map(({ lateMs }) => lateMs)),
      ownStallMs: Math.max(0, ...stalls.map(ownMs)),
      collectionMs: Math.max(0, ...collections.map(({ duration }) => duration)),
      loopCpuMs: sum(process.threadCpuUsage(cpuOfLoop)),
      cpuMs: sum(process.cpuUsage(cpu)),
    };
    stalls = [];
    collections = [];
    cpuOfLoop = process.threadCpuUsage();
    cpu = process.cpuUsage();
    response.end(JSON.stringify(report));
  });
  server.listen(socket).unref();
}

/** Reads the times of a process that is watched, since they were read before. */
export function readLoop(socketPath: string): Promise<LoopReport> {
  return new Promise((resolve, reject) => {
    const sent = requestOf({ socketPath, path: "/" }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.once("end", () => resolve(JSON.parse(text) as LoopReport));
    });
    sent.once("error", reject).end();
  });
}

/** The sum of user and system time, in milliseconds. */
function sum({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

const socket = new URL(import.meta.url).searchParams.get("socket");
// Threads and children of the API inherit the option.
const isApi = isMainThread && process.argv[1]?.endsWith("apps/api/src/main.ts") === true;
if (socket !== null && isApi) watchLoop(socket);
