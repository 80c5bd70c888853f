import { createServer } from "node:http";
import { PerformanceObserver } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** What the event loop and the threads of a process did since the last answer. Times are in milliseconds. */
export interface LoopReport {
  /** The longest time by which a timer was late. */
  readonly stallMs: number;
  /** The longest of these times that the thread of the event loop was running: without those of other programs. */
  readonly ownStallMs: number;
  /** The longest garbage collection that the event loop waited for. */
  readonly collectionMs: number;
  /** CPU time of the thread of the event loop. */
  readonly loopCpuMs: number;
  /** CPU time of all threads. */
  readonly cpuMs: number;
}

const intervalMs = 5;

/**
 * Preloaded into an API (`--import <this file>?socket=<path>`), it answers each request at the socket with a
 * `LoopReport`. A wall clock alone also counts the time that other programs of a shared machine run.
 */
function watchLoop(socket: string): void {
  let late = { stallMs: 0, ownStallMs: 0, collectionMs: 0 };
  let cpuOfLoop = process.threadCpuUsage();
  let cpu = process.cpuUsage();
  let turn = { at: performance.now(), cpu: process.threadCpuUsage() };
  setInterval(() => {
    const at = performance.now();
    const lateMs = at - turn.at - intervalMs;
    const ranMs = sum(process.threadCpuUsage(turn.cpu));
    late = {
      ...late,
      stallMs: Math.max(late.stallMs, lateMs),
      ownStallMs: Math.max(late.ownStallMs, Math.min(lateMs, ranMs)),
    };
    turn = { at, cpu: process.threadCpuUsage() };
  }, intervalMs).unref();
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      late = { ...late, collectionMs: Math.max(late.collectionMs, duration) };
    }
  }).observe({ entryTypes: ["gc"] });
  const server = createServer((_request, response) => {
    const report: LoopReport = {
      ...late,
      loopCpuMs: sum(process.threadCpuUsage(cpuOfLoop)),
      cpuMs: sum(process.cpuUsage(cpu)),
    };
    late = { stallMs: 0, ownStallMs: 0, collectionMs: 0 };
    cpuOfLoop = process.threadCpuUsage();
    cpu = process.cpuUsage();
    response.end(JSON.stringify(report));
  });
  server.listen(socket).unref();
}

/** The sum of user and system time, in milliseconds. */
function sum({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

const socket = new URL(import.meta.url).searchParams.get("socket");
// Threads and children of the API inherit the option.
const isApi = isMainThread && process.argv[1]?.endsWith("apps/api/src/main.ts") === true;
if (socket !== null && isApi) watchLoop(socket);
