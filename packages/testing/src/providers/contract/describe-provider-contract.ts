import type { Provider, ProviderCall, ProviderOutcome, ProviderRequest } from "@atelier/models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../faults.ts";
import { createManualTimers } from "../manual-timers.ts";
import { startProtocolServer, type ProtocolServer } from "../protocol-server.ts";
import type { ContractTable } from "./contract-table.ts";
import type { ProviderContract } from "./provider-contract.ts";
import type { Row } from "./rows.ts";

// Told apart by their length when a test lets one expire; never reached by the clock.
const totalTimeoutMs = 3_600_001;
const idleTimeoutMs = 3_600_002;

/** Longer than any message of an outcome, and in no message by chance. */
const prompt = "a lighthouse keeper mends his nets in the last light of the year";

/**
 * Runs an adapter against its vendor's protocol server through everything that can come of a call,
 * and records each outcome in the table.
 */
export function describeProviderContract(contract: ProviderContract, table: ContractTable): void {
  describe(`provider ${contract.name}`, { timeout: 60_000 }, () => {
    const apiKey = contract.apiKey ?? "";
    let server: ProtocolServer;
    /** Where nothing of the provider's may ever go. */
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

    /** One test for one row of the table; its answer is the cell. */
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
        readonly maxAnswerBytes?: number;
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
          maxAnswerBytes: options.maxAnswerBytes,
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

    /** How many of the calls since `from` the vendor would ask money for. */
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

    row("429 with a time", async () => {
      const { sent, ms } = contract.retryAfter ?? { sent: "7", ms: 7_000 };
      const outcome = await start({ kind: "rate-limit", retryAfter: sent }).outcome;
      expect(outcome).toEqual({ kind: "rate-limited", retryAfterMs: ms });
      return `rate-limited ${ms / 1_000} s`;
    });

    row("429 without a time", async () => {
      const outcome = await start({ kind: "rate-limit", retryAfter: null }).outcome;
      expect(outcome).toEqual({ kind: "rate-limited", retryAfterMs: null });
      return outcome.kind;
    });

    rowOfFault("no credit", { kind: "out-of-quota" }, "out-of-quota");
    rowOfFault("request not taken", { kind: "invalid-request" }, "invalid-request");

    row("key not accepted", async () => {
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
      // tcpmux: nobody listens there any more.
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

    row("hang in the answer", async () => {
      const { expire, outcome } = start({ kind: "hang-in-body", at: "order" });
      await expire(idleTimeoutMs);
      expect((await outcome).kind).toBe("unknown");
      return "unknown";
    });

    rowOfFault("answer cut short", { kind: "cut-short", at: "order" }, "unknown");
    rowOfFault("answer not JSON", { kind: "not-json" }, "unknown");

    row("answer without end", async () => {
      const outcome = await start({ kind: "endless" }, { maxAnswerBytes: 1_000_000 }).outcome;
      expect(outcome.kind).toBe("unknown");
      return outcome.kind;
    });

    rowOfFault("not an image", { kind: "not-an-image" }, "unknown");
    rowOfFault("half an image", { kind: "half-an-image" }, "unknown");
    rowOfFault("another size", { kind: "wrong-size" }, "wrong-size");

    row("given up before", async () => {
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

    /** A call whose job went on while a question about it failed, taken up again by its id. */
    async function resume(first: Started, from: number): Promise<string> {
      expect((await first.outcome).kind).toBe("unknown");
      const [resumeRequestId = null] = first.requestIds;
      expect(resumeRequestId).not.toBeNull();
      const second = await start(null, { call: { resumeRequestId } }).outcome;
      expect(second.kind).toBe("image");
      expect(paidSince(from)).toBe(1);
      return "unknown, resumed";
    }

    row("hang when asked", async () => {
      const from = server.calls.length;
      const known = Promise.withResolvers<string>();
      const first = start(
        { kind: "hang", at: "question" },
        { call: { onRequestId: async (id) => known.resolve(id) } },
      );
      const requestId = await known.promise;
      await first.expire(totalTimeoutMs);
      return resume({ ...first, requestIds: [requestId] }, from);
    });

    row("cut short when asked", async () => {
      const from = server.calls.length;
      return resume(start({ kind: "cut-short", at: "question" }), from);
    });

    row("status 500 when asked", async () => {
      const from = server.calls.length;
      return resume(start({ kind: "server-error", status: 500, at: "question" }), from);
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
     * The process dies with a call under way: all that is left is what `onRequestId` was told. Then
     * the call is made again as the worker would.
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
      return paidOnce ? "paid once" : "paid twice, told";
    }

    row("crash before the answer", () => {
      const arrival = server.arrival();
      return crash({ kind: "hang", at: "order" }, () => arrival);
    });

    row("crash in the answer", () => {
      const arrival = server.arrival();
      return crash({ kind: "hang-in-body", at: "order" }, () => arrival);
    });

    row("crash while the job runs", () =>
      crash({ kind: "slow-poll", polls: Number.POSITIVE_INFINITY }, async () => {
        // The order, and the first question about it.
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
  /** What `onRequestId` was told so far. */
  readonly requestIds: readonly string[];
}

const anyRequest: Omit<ProviderRequest, "model" | "prompt"> = {
  aspectRatio: "1:1",
  imageSize: "1K",
  seed: 7,
  references: [],
  previousTurn: null,
};
