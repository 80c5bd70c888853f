import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { sequential } from "./describe-queues.ts";
import { fakeModel, lanes, writeCatalogue } from "./fallback-catalogue.ts";
import { acceptJob, untilFinal } from "./jobs.ts";

/** A vendor without ids of calls, whose model has a fallback, and one that returns a call's image again. */
const models = [
  fakeModel("blind", "first", "0.08", "resumable"),
  fakeModel("resumable", "second", "0.05"),
];

let directory: string;
let stack: Stack;
let account: TestAccount;
/** Ends the wait of calls that the vendor never answers. */
let release: () => void;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-timed-out-"));
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      ...(await writeCatalogue(directory, models)),
      WORKER_LANES: `${lanes.first},${lanes.second}`,
      PROVIDER_TIMEOUT_SECONDS: "0.5",
      WORKER_LOCK_SECONDS: "10",
    },
  });
});

afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  account = await stack.createAccount();
});

afterEach(async () => {
  release();
  stack.provider.behave(() => ({ kind: "image" }));
  await assertInvariants(stack.database);
});

/** Makes the vendor answer no call: it makes the image and sends headers at most. */
function neverAnswer(sends: "headers" | "nothing"): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  stack.provider.behave(async () => {
    if (sends === "headers") return { kind: "hang" };
    await promise;
    return { kind: "image" };
  });
}

async function run(model: string) {
  const before = stack.provider.calls.length;
  const body = { model, prompt: "a lighthouse at dusk" };
  const jobId = await acceptJob(stack, account, "image", body);
  const job = await untilFinal(stack, account, jobId);
  const calls = await stack.database.query<{ model: string; outcome: string; basis: string }>(
    `SELECT provider_call.model, outcome::text, cost_basis::text AS basis
       FROM provider_call JOIN render ON render.id = render_id
      WHERE generation_id = $1 ORDER BY provider_call.attempt`,
    [jobId],
  );
  return { job, calls, received: stack.provider.calls.length - before };
}

describe("a call that the vendor does not answer within its timeout", sequential, () => {
  it.each(["headers", "nothing"] as const)(
    "ends its job without a second call, a fallback or a charge after %s",
    async (sends) => {
      neverAnswer(sends);
      const { job, calls, received } = await run("blind");
      expect(received).toBe(1);
      expect(calls).toEqual([{ model: "blind", outcome: "timed_out", basis: "unknown" }]);
      expect(job).toMatchObject({
        status: "failed",
        cost_eur: "0.00",
        error: { error: "provider_error", message: expect.stringContaining("in time") },
      });
    },
  );

  it("is resumed by its id, so that one call is paid and its image delivered", async () => {
    neverAnswer("headers");
    const { job, calls, received } = await run("resumable");
    expect(received).toBe(1);
    expect(calls).toMatchObject([{ outcome: "image" }]);
    expect(job).toMatchObject({ status: "completed", cost_eur: "0.05" });
  });

  it("is not repeated when the vendor has not yet said its id", async () => {
    neverAnswer("nothing");
    const { job, calls, received } = await run("resumable");
    expect(received).toBe(1);
    expect(calls).toMatchObject([{ outcome: "timed_out" }]);
    expect(job).toMatchObject({ status: "failed", cost_eur: "0.00" });
  });
});
