import { beforeEach, expect, it } from "vitest";
import { createProgress, receivesProgress, withProgress, type Progress } from "./progress.ts";

let now: number;
let progress: Progress;
const announce = (generationId: string, step: number) =>
  progress.record({
    accountId: "account",
    generationId,
    progress: { render: 0, progress: step / 20, step, of: 20 },
  });

beforeEach(() => {
  now = 0;
  progress = createProgress(() => now);
});

it("progress of a job is sent at most twice a second, whatever the number of its images", () => {
  let sent = 0;
  for (; now < 10_000; now += 100) if (announce("job", 1)) sent += 1;
  expect(sent).toBe(20);
  expect(announce("other", 1)).toBe(true);
});

it("the last progress is shown while the job is made, for a minute, until it is final", () => {
  announce("job", 7);
  const job = { id: "job", status: "processing" } as const;
  expect(withProgress(job, progress)).toMatchObject({ progress: { step: 7, of: 20 } });
  expect(withProgress({ ...job, status: "completed" }, progress)).not.toHaveProperty("progress");
  now += 60_000;
  expect(withProgress(job, progress)).toBe(job);
  announce("job", 8);
  progress.forget("job");
  expect(progress.of("job")).toBeNull();
});

it("progress of ten thousand jobs is kept, of those that were announced last", () => {
  for (let job = 0; job <= 10_000; job++) announce(String(job), 1);
  expect([progress.of("0"), progress.of("10000")]).toMatchObject([null, { step: 1 }]);
});

it.each([
  ["of the job", { generationId: "job", keyId: "key", mode: null }, true],
  ["of another job", { generationId: "other", keyId: null, mode: null }, false],
  ["of the account", { generationId: null, keyId: null, mode: null }, true],
  ["of live jobs", { generationId: null, keyId: null, mode: "live" }, true],
  ["of tests", { generationId: null, keyId: null, mode: "test" }, false],
  ["of a key that sees only its own jobs", { generationId: null, keyId: "key", mode: null }, false],
] as const)("a stream %s receives progress or not", (_, target, isReceived) => {
  expect(receivesProgress(target, "job")).toBe(isReceived);
});
