import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  createLimitedProcess,
  LimitError,
  starvedWork,
  type ProcessLimits,
} from "./limited-process.ts";
import type { MortalRequest } from "./testing/mortal-child.ts";

/** A limit that no test reaches, so that only the end of the process can end a request. */
const never = 3_600_000;

function open(limits: Partial<ProcessLimits> = {}) {
  const limited = createLimitedProcess<MortalRequest, number>({
    work: "decode",
    module: new URL("testing/mortal-child.ts", import.meta.url),
    cpuMs: never,
    wallMs: never,
    startMs: never,
    maxResidentBytes: 1_000_000_000,
    ...limits,
  });
  onTestFinished(() => limited.close());
  return limited;
}

/** Records the work that is counted as stopped by a busy machine. */
function countStarved(): readonly unknown[] {
  const works: unknown[] = [];
  const listener = (work: unknown) => void works.push(work);
  subscribe(starvedWork.name, listener);
  onTestFinished(() => void unsubscribe(starvedWork.name, listener));
  return works;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("rejects the request whose process is killed, and answers the next in a new process", async () => {
  const limited = open();
  const { answer: first } = await limited.run({ ends: "answers" });
  const killed = limited.run({ ends: "is killed" });
  const next = limited.run({ ends: "answers" });
  await expect(killed).rejects.toMatchObject({ name: "LimitError", reason: "died" });
  expect((await next).answer).not.toBe(first);
});

test("adds no listener for each request that a process answers", async () => {
  const warnings: string[] = [];
  const record = ({ name }: Error) => void warnings.push(name);
  process.on("warning", record);
  onTestFinished(() => void process.off("warning", record));
  const limited = open();
  const { answer: first } = await limited.run({ ends: "answers" });
  for (let request = 0; request < 12; request++) {
    expect((await limited.run({ ends: "answers" })).answer).toBe(first);
  }
  expect(warnings).toEqual([]);
});

test("answers in a new process after the idle one was killed", async () => {
  const limited = open();
  const { answer: first } = await limited.run({ ends: "answers" });
  process.kill(first, "SIGKILL");
  await vi.waitUntil(() => !isRunning(first), { interval: 1, timeout: 30_000 });
  expect((await limited.run({ ends: "answers" })).answer).not.toBe(first);
});

test("does not blame a request for memory that earlier ones left", async () => {
  const limited = open({ maxResidentBytes: 250_000_000 });
  const { answer: first } = await limited.run({ ends: "keeps memory" });
  const { answer, peakBytes } = await limited.run({ ends: "reports memory" });
  expect(answer).not.toBe(first);
  expect(peakBytes).toBeLessThan(250_000_000);
});

test("blames the request for CPU time, however long it takes", async () => {
  const works = countStarved();
  const limited = open({ cpuMs: 100 });
  const failure = await limited.run({ ends: "spins" }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: "cpu", isCausedByInput: true });
  expect(works).toEqual([]);
  await limited.run({ ends: "answers" });
});

test("blames a busy machine when wall time passes without CPU time", async () => {
  const works = countStarved();
  const limited = open({ wallMs: 100 });
  const failure = await limited.run({ ends: "sleeps" }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: "busy", isCausedByInput: false });
  expect(works).toEqual(["decode"]);
});

test("blames a busy machine for a process that does not start in time", async () => {
  const works = countStarved();
  const limited = open({ startMs: 1 });
  await expect(limited.run({ ends: "answers" })).rejects.toMatchObject({ reason: "busy" });
  expect(works).toEqual(["decode"]);
});

test.each(["throws", "crashes"] as const)(
  "blames the request for a process that %s",
  async (ends) => {
    const failure = await open()
      .run({ ends })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "crashed", isCausedByInput: true });
  },
);

test.each([
  ["cpu", true],
  ["memory", true],
  ["crashed", true],
  ["busy", false],
  ["died", false],
  ["closed", false],
] as const)("%s is caused by the input: %s", (reason, isCausedByInput) => {
  expect(new LimitError(reason).isCausedByInput).toBe(isCausedByInput);
});
