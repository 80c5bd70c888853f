import type {
  Provider,
  ProviderCall,
  ProviderOutcome,
  ProviderRequest,
} from "../../../provider.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../faults.ts";
import { createManualTimers } from "../manual-timers.ts";
import { startProtocolServer, type ProtocolServer } from "../protocol-server.ts";
import type { ContractTable } from "./contract-table.ts";
import type { ProviderContract } from "./provider-contract.ts";
import type { Row } from "./rows.ts";

// Tests identify timers by their length and expire them by hand, so the values are never reached.
const totalTimeoutMs = 3_600_001;
const idleTimeoutMs = 3_600_002;

/** Longer than any outcome message, and unlikely to occur in one by chance. */
const prompt = "a lighthouse keeper mends his nets in the last light of the year";

/**
 * Runs an adapter against its vendor's protocol server for every outcome of a call, and records
 * each outcome in the table.
 */
export function describeProviderContract(contract: ProviderContract, table: ContractTable): void {
  describe(`provider ${contract.name}`, { timeout: 60_000 }, () => {
    const apiKey = contract.apiKey ?? "";
    let server: ProtocolServer;
    /** A host that must never receive a request of the provider. */
    let elsewhere: ProtocolServer;

    beforeAll(async () => {
      server = await contract.start();
      elsewhere = await startProtocolServer(() => ({ status: 200, json: {} }));
    });
    afterAll(async () => {
      await server.close();
      await elsewhere.close();
      expect(elsewhere.calls).toEqual([]);
    });

    /** Defines the test of one row; its return value is the cell. */
    function row(name: Row, run: () => Promise<string>): void {
      const reason = contract.notApplicable[name];
      it(`${contract.name}: ${name}`, async () => {
        const cell = reason === undefined ? await run() : `n/a: ${reason}`;
        expect(cell).not.toBe("");
        table.record(contract.name, name, cell);
      });
    }

    function rowOfFault(name: Row, fault: Fault, expected: ProviderOutcome["kind"]): void {
      row(name, async () => {
        const outcome = await start(fault).outcome;
        expect(outcome.kind).toBe(expected);
        return outcome.kind;
      });
    }

    /** Makes one call while the server misbehaves. */
    function start(
      fault: Fault | null,
      options: {
        readonly key?: string;
        readonly url?: string;
        readonly call?: Partial<ProviderCall>;
        readonly maxResponseBytes?: number;
      } = {},
    ): Started {
      server.behave(fault);
      const timers = createManualTimers();
      const secret = options.key ?? apiKey;
      const provider = contract.create({
        url: options.url ?? server.url,
        apiKey: secret,
        limits: {
          totalTimeoutMs,
          idleTimeoutMs,
          startTimer: timers.startTimer,
          maxResponseBytes: options.maxResponseBytes,
        },
      });
      const requestIds: string[] = [];
      const outcome = provider
        .generate(
          { ...anyRequest, prompt, ...contract.request },
          {
            signal: new AbortController().signal,
            key: "0199c3a2-5b1e-7c44-9a53-6f2d1b0c8e77",
            resumeRequestId: null,
            async onRequestId(id) {
              requestIds.push(id);
            },
            ...options.call,
          },
        )
        .then((result) => {
          if (result.kind === "image") return result;
          const text = JSON.stringify(result);
          if (secret !== "") expect(text).not.toContain(secret);
          expect(text).not.toContain(prompt);
          return result;
        });
      return { provider, outcome, expire: (ms) => timers.expire(ms), requestIds };
    }

    /** Number of charged calls since `from`. */
    const paidSince = (from: number): number =>
      server.calls.slice(from).filter(({ paid }) => paid).length;

    row("image", async () => {
      const from = server.calls.length;
      const outcome = await start(null).outcome;
      expect(outcome.kind).toBe("image");
      expect(paidSince(from)).toBe(1);
      return outcome.kind;
    });

    row("refusal", async () => {
      const shapes = Object.entries(contract.refusals);
      expect(shapes).not.toEqual([]);
      for (const [shape, expected] of shapes) {
        const outcome = await start({ kind: "refusal", shape }).outcome;
        expect({ shape, outcome }).toEqual({ shape, outcome: { kind: "refused", ...expected } });
      }
      return shapes.length === 1 ? "refused" : `refused ×${shapes.length}`;
    });

    row("429 with Retry-After", async () => {
      const { sent, ms } = contract.retryAfter ?? { sent: "7", ms: 7_000 };
      const outcome = await start({ kind: "rate-limit", retryAfter: sent }).outcome;
      expect(outcome).toEqual({ kind: "rate-limited", retryAfterMs: ms });
      return `rate-limited ${ms / 1_000} s`;
    });

    row("429 without Retry-After", async () => {
      const outcome = await start({ kind: "rate-limit", retryAfter: null }).outcome;
      expect(outcome).toEqual({ kind: "rate-limited", retryAfterMs: null });
      return outcome.kind;
    });

    rowOfFault("no credit", { kind: "out-of-quota" }, "out-of-quota");
    rowOfFault("invalid request", { kind: "invalid-request" }, "invalid-request");

    row("wrong API key", async () => {
      const from = server.calls.length;
      const outcome = await start(null, { key: "not-the-key-of-this-account" }).outcome;
      expect(outcome.kind).toBe("unavailable");
      expect(paidSince(from)).toBe(0);
      return outcome.kind;
    });

    rowOfFault("status 500", { kind: "server-error", status: 500, at: "order" }, "unavailable");
    rowOfFault("status 503", { kind: "server-error", status: 503, at: "order" }, "unavailable");
    rowOfFault("status 504", { kind: "server-error", status: 504, at: "order" }, "unknown");

    row("no connection", async () => {
      // tcpmux: no server listens on this port.
      const outcome = await start(null, { url: "http://127.0.0.1:1" }).outcome;
      expect(outcome.kind).toBe("unavailable");
      return outcome.kind;
    });

    row("redirect", async () => {
      const outcome = await start({ kind: "redirect", to: `${elsewhere.url}/` }).outcome;
      expect(outcome.kind).toBe("unavailable");
      expect(elsewhere.calls).toEqual([]);
      return outcome.kind;
    });

    row("hang", async () => {
      const arrival = server.arrival();
      const { expire, outcome } = start({ kind: "hang", at: "order" });
      await arrival;
      await expire(totalTimeoutMs);
      expect((await outcome).kind).toBe("unknown");
      return "unknown";
    });

    row("hang in the response", async () => {
      const { expire, outcome } = start({ kind: "hang-in-body", at: "order" });
      await expire(idleTimeoutMs);
      expect((await outcome).kind).toBe("timed-out");
      return "timed-out";
    });

    rowOfFault("truncated response", { kind: "cut-short", at: "order" }, "unknown");
    rowOfFault("response not JSON", { kind: "not-json" }, "unknown");

    row("endless response", async () => {
      const outcome = await start({ kind: "endless" }, { maxResponseBytes: 1_000_000 }).outcome;
      expect(outcome.kind).toBe("unknown");
      return outcome.kind;
    });

    rowOfFault("not an image", { kind: "not-an-image" }, "unknown");
    rowOfFault("truncated image", { kind: "half-an-image" }, "unknown");
    rowOfFault("wrong size", { kind: "wrong-size" }, "wrong-size");

    row("aborted before sending", async () => {
      const from = server.calls.length;
      const outcome = await start(null, { call: { signal: AbortSignal.abort() } }).outcome;
      expect(outcome.kind).toBe("unavailable");
      expect(server.calls.length).toBe(from);
      return outcome.kind;
    });

    row("slow job", async () => {
      const from = server.calls.length;
      const outcome = await start({ kind: "slow-poll", polls: 4 }).outcome;
      expect(outcome.kind).toBe("image");
      expect(paidSince(from)).toBe(1);
      return outcome.kind;
    });

    rowOfFault("lost job", { kind: "lost-job" }, "unavailable");
    rowOfFault("failed job", { kind: "failed-job" }, "unavailable");

    /** Resumes a call by its id after a poll failed while its job continued. */
    async function resume(first: Started, from: number): Promise<string> {
      expect((await first.outcome).kind).toBe("unknown");
      const [resumeRequestId = null] = first.requestIds;
      expect(resumeRequestId).not.toBeNull();
      const second = await start(null, { call: { resumeRequestId } }).outcome;
      expect(second.kind).toBe("image");
      expect(paidSince(from)).toBe(1);
      return "unknown, resumed";
    }

    row("poll hangs", async () => {
      const from = server.calls.length;
      const arrival = server.arrival();
      const known = Promise.withResolvers<string>();
      const first = start(
        { kind: "hang", at: "poll" },
        { call: { onRequestId: async (id) => known.resolve(id) } },
      );
      const requestId = await known.promise;
      // Some adapters know the id before they send the order.
      await arrival;
      await first.expire(totalTimeoutMs);
      return resume({ ...first, requestIds: [requestId] }, from);
    });

    row("poll truncated", async () => {
      const from = server.calls.length;
      return resume(start({ kind: "cut-short", at: "poll" }), from);
    });

    row("poll status 500", async () => {
      const from = server.calls.length;
      return resume(start({ kind: "server-error", status: 500, at: "poll" }), from);
    });

    row("crash before sending", async () => {
      const from = server.calls.length;
      const first = await start(null, { call: { signal: AbortSignal.abort() } }).outcome;
      expect(first.kind).toBe("unavailable");
      expect((await start(null).outcome).kind).toBe("image");
      expect(paidSince(from)).toBe(1);
      return "paid once";
    });

    /**
     * Simulates a process crash during a call: only the ids passed to `onRequestId` remain. Then
     * makes the call again as the worker does.
     */
    async function crash(
      fault: Fault,
      moment: (first: Started) => Promise<unknown>,
    ): Promise<string> {
      const from = server.calls.length;
      const process = new AbortController();
      const first = start(fault, { call: { signal: process.signal } });
      await moment(first);
      process.abort();
      expect((await first.outcome).kind).toBe("unknown");
      const { lostCall } = first.provider;
      const [id = null] = lostCall === "resume-by-request-id" ? first.requestIds : [];
      const second = await start(null, { call: { resumeRequestId: id } }).outcome;
      expect(second.kind).toBe("image");
      const paidOnce = lostCall === "repeat-with-same-key" || id !== null;
      expect(paidSince(from)).toBe(paidOnce ? 1 : 2);
      return paidOnce ? "paid once" : "paid twice, reported";
    }

    row("crash before the response", () => {
      const arrival = server.arrival();
      return crash({ kind: "hang", at: "order" }, () => arrival);
    });

    row("crash in the response", () => {
      const arrival = server.arrival();
      return crash({ kind: "hang-in-body", at: "order" }, () => arrival);
    });

    row("crash while the job runs", () =>
      crash({ kind: "slow-poll", polls: Number.POSITIVE_INFINITY }, async () => {
        // The submission and the first poll.
        await server.arrival();
        await server.arrival();
      }),
    );
  });
}

interface Started {
  readonly provider: Provider;
  readonly outcome: Promise<ProviderOutcome>;
  readonly expire: (timeoutMs: number) => Promise<void>;
  /** Request ids passed to `onRequestId` so far. */
  readonly requestIds: readonly string[];
}

const anyRequest: Omit<ProviderRequest, "model" | "prompt"> = {
  aspectRatio: "1:1",
  imageSize: "1K",
  seed: 7,
  references: [],
  previousTurn: null,
};
