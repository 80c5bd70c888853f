import { expect, onTestFinished, test, vi } from "vitest";
import { createLimitedProcess } from "./limited-process.ts";
import type { MortalRequest } from "./testing/mortal-child.ts";

/** A limit that no test reaches, so that only the end of the process can end a request. */
const timeoutMs = 3_600_000;

function open() {
  const limited = createLimitedProcess<MortalRequest, number>({
    module: new URL("testing/mortal-child.ts", import.meta.url),
    timeoutMs,
    maxResidentBytes: 1_000_000_000,
  });
  onTestFinished(() => limited.close());
  return limited;
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
  const { answer: first } = await limited.run({ dies: false });
  const killed = limited.run({ dies: true });
  const next = limited.run({ dies: false });
  await expect(killed).rejects.toMatchObject({ name: "LimitError", reason: "died" });
  expect((await next).answer).not.toBe(first);
});

test("answers in a new process after the idle one was killed", async () => {
  const limited = open();
  const { answer: first } = await limited.run({ dies: false });
  process.kill(first, "SIGKILL");
  await vi.waitUntil(() => !isRunning(first), { interval: 1, timeout: 30_000 });
  expect((await limited.run({ dies: false })).answer).not.toBe(first);
});
