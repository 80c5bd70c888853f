import {
  bearer,
  createOpenAiClassifier,
  createRemoteModel,
  createRemoteModerator,
  createRuleModerator,
  isMisconfigured,
  type CircuitState,
  type RequestOutcome,
} from "@atelier/moderation";
import type { AppError } from "@atelier/schemas";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startOpenAiModerationServer, type OpenAiModerationServer } from "./server.ts";

const apiKey = "sk-of-the-circuit-breaker-0123456789";
const rules = createRuleModerator();
const never = new AbortController().signal;
const serverError = { kind: "server-error", status: 500, at: "order" } as const;
let server: OpenAiModerationServer;
const closings: (() => void)[] = [];

// A server for each test: a call whose client has given up may arrive later, and would be counted by the next test.
beforeEach(async () => {
  server = await startOpenAiModerationServer({ apiKey });
});
afterEach(async () => {
  for (const close of closings.splice(0)) close();
  await server.close();
});

/** A moderator behind a circuit breaker, and a way to await the next change of the circuit. */
function connect(
  settings: {
    readonly key?: string;
    readonly timeoutMs?: number;
    readonly firstPauseMs?: number;
    readonly longestPauseMs?: number;
    readonly whenDown?: "refuse" | "allow";
  } = {},
) {
  const { key = apiKey, whenDown = "refuse", timeoutMs = 20_000, ...pauses } = settings;
  const outcomes: RequestOutcome[] = [];
  let changed = Promise.withResolvers<CircuitState>();
  const model = createRemoteModel(
    (post) => createOpenAiClassifier("omni-moderation-latest", post),
    {
      baseUrl: `${server.url}/v1`,
      authenticate: bearer(key),
      timeoutMs,
      onRequest(outcome, durationMs) {
        expect(durationMs).toBeGreaterThan(0);
        outcomes.push(outcome);
      },
      onChange(state) {
        const { resolve } = changed;
        changed = Promise.withResolvers();
        resolve(state);
      },
      ...pauses,
    },
  );
  closings.push(model.close);
  const { classifier } = model;
  const moderator = createRemoteModerator({ rules, classifier, whenDown, onDown: () => undefined });
  let count = 0;
  /** Moderates a new text; returns the error of a text that was not judged. */
  async function moderate(): Promise<AppError | null> {
    count += 1;
    const texts = [{ path: "prompt", text: `a lighthouse number ${count}` }];
    const request = { texts, strictness: "normal", hasClientImages: false } as const;
    return moderator.moderate(request, never).then(
      () => null,
      (error: AppError) => error,
    );
  }
  return { ...model, moderate, outcomes, nextChange: () => changed.promise };
}

async function callsDuring(work: () => Promise<unknown>): Promise<number> {
  const before = server.calls.length;
  await work();
  return server.calls.length - before;
}

const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += 1) await work();
};

describe("the circuit breaker of a remote moderator", () => {
  it("stops calling after three failures in a row and says when to retry", async () => {
    const { moderate, state } = connect();
    server.behave(serverError);
    expect(await callsDuring(() => times(3, moderate))).toBe(3);
    expect(state()).toMatchObject({ isOpen: true, problem: { reason: "unavailable" } });
    expect(await callsDuring(() => times(20, moderate))).toBe(0);
    const error = await moderate();
    expect(error).toMatchObject({ code: "overloaded", retryable: true, retryAfterMs: 5_000 });
  });

  it("lets a hanging server delay only the first images, which the rules then decide alone", async () => {
    const { moderate, outcomes } = connect({ timeoutMs: 50, whenDown: "allow" });
    server.behave({ kind: "hang", at: "order" });
    await times(100, async () => expect(await moderate()).toBeNull());
    expect(outcomes).toEqual(["unavailable", "unavailable", "unavailable"]);
  });

  it("starts counting again after a success", async () => {
    const { moderate } = connect();
    for (const fault of [serverError, serverError, null, serverError, serverError]) {
      server.behave(fault);
      expect(await callsDuring(moderate)).toBe(1);
    }
    server.behave(null);
    expect(await callsDuring(moderate)).toBe(1);
  });

  it("probes with a text of its own after the pause, and closes when that succeeds", async () => {
    const { moderate, nextChange, state } = connect({ firstPauseMs: 20 });
    server.behave(serverError);
    await times(3, moderate);
    server.behave(null);
    const change = nextChange();
    const probe = await server.arrival();
    expect(String(probe.body)).toContain("a lighthouse at dusk");
    expect(await change).toEqual({ isOpen: false, problem: null });
    expect(state().isOpen).toBe(false);
    expect(await moderate()).toBeNull();
  });

  it("doubles the pause with each failed probe, up to the longest", async () => {
    const { moderate, nextChange } = connect({ firstPauseMs: 30, longestPauseMs: 100 });
    server.behave(serverError);
    await times(2, moderate);
    const pausesMs: number[] = [];
    let opened = nextChange();
    await moderate();
    await opened;
    for (let probes = 0; probes < 4; probes += 1) {
      const openedAt = performance.now();
      opened = nextChange();
      await server.arrival();
      pausesMs.push(performance.now() - openedAt);
      await opened;
    }
    // Timers may fire a millisecond early.
    for (const [index, atLeastMs] of [30, 60, 100, 100].entries()) {
      expect(pausesMs[index]).toBeGreaterThan(atLeastMs - 3);
    }
  });

  it.each([
    ["seconds", "30", 30_000],
    ["a date", new Date(Date.now() + 3_000_000).toUTCString(), 600_000],
    ["more than ten minutes", "86400", 600_000],
  ])("obeys Retry-After in %s at the first response, bounded", async (_, retryAfter, waitMs) => {
    const { moderate } = connect();
    server.behave({ kind: "rate-limit", retryAfter });
    expect(await callsDuring(() => times(5, moderate))).toBe(1);
    const error = await moderate();
    expect(error?.retryAfterMs).toBeGreaterThan(waitMs / 2);
    expect(error?.retryAfterMs).toBeLessThanOrEqual(waitMs);
  });

  it.each([
    ["responses that are not understood", { kind: "not-json" }],
    ["texts that the server rejects", { kind: "server-error", status: 400, at: "order" }],
  ] as const)("stays closed for %s, since they depend on the text", async (_, fault) => {
    const { moderate, state } = connect();
    server.behave(fault);
    expect(await callsDuring(() => times(5, moderate))).toBe(5);
    expect(state().isOpen).toBe(false);
  });

  it.each([
    ["refuses the key", 401],
    ["does not know the model", 404],
    ["redirects", 307],
  ])("opens at once when the server %s, and says that the operator must act", async (_, status) => {
    const { moderate, state } = connect(status === 401 ? { key: "sk-wrong" } : {});
    if (status === 404) server.behave({ kind: "server-error", status, at: "order" });
    if (status === 307) server.behave({ kind: "redirect", to: "https://example.com/" });
    expect(await callsDuring(() => times(5, moderate))).toBe(1);
    expect(state().problem).toMatchObject({ reason: "misconfigured", status });
    const error = await moderate();
    expect(error).toMatchObject({ code: "internal_error", retryable: true });
    expect(error?.message).toContain("The operator must correct it; nothing was charged.");
  });
});

describe("a probe at the start", () => {
  it("finds a wrong key before the first image", async () => {
    const { probe, state } = connect({ key: "sk-wrong" });
    await probe();
    expect(state().isOpen).toBe(true);
    expect(isMisconfigured(state())).toBe(true);
  });

  it("finds a server that is down, which is no wrong setting", async () => {
    const { probe, state } = connect();
    server.behave(serverError);
    await probe();
    expect(state().isOpen).toBe(true);
    expect(isMisconfigured(state())).toBe(false);
  });

  it.each([
    ["responds with something else", { kind: "not-json" }],
    ["rejects a harmless text", { kind: "server-error", status: 400, at: "order" }],
  ] as const)("finds a server that %s, until a text is judged", async (_, fault) => {
    const { probe, state, moderate } = connect();
    server.behave(fault);
    await probe();
    expect(state().isOpen).toBe(false);
    expect(isMisconfigured(state())).toBe(true);
    server.behave(null);
    await moderate();
    expect(state().problem).toBeNull();
  });

  it("repeats until the server accepts the key", async () => {
    const { probe, nextChange, moderate } = connect({ firstPauseMs: 20 });
    server.behave({ kind: "server-error", status: 403, at: "order" });
    await probe();
    server.behave(null);
    expect(await nextChange()).toEqual({ isOpen: false, problem: null });
    expect(await moderate()).toBeNull();
  });
});

it("reports each request with its outcome, and none that was not sent", async () => {
  const { moderate, outcomes } = connect();
  for (const fault of [
    null,
    { kind: "not-json" },
    { kind: "server-error", status: 422, at: "order" },
    { kind: "server-error", status: 500, at: "order" },
    { kind: "rate-limit", retryAfter: "60" },
    null,
  ] as const) {
    server.behave(fault);
    await moderate();
  }
  expect(outcomes).toEqual(["ok", "malformed", "rejected", "unavailable", "rate-limited"]);
});
