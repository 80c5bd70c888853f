import { setTimeout as delay } from "node:timers/promises";
import { whitePng } from "@atelier/guarded-fetch/testing/images";
import { processTuning } from "@atelier/process";
import { startStack } from "@atelier/testing";
import { percentile } from "../shared/statistics.ts";

/** Requests that the attacker has open at the same time. */
const connections = 8;
const verifications = 12;

export interface VerificationResult {
  readonly idleP95Ms: number;
  readonly p95Ms: number;
  /** The number of responses to the attacker by status. */
  readonly outcome: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

/**
 * Attacks `POST /verify` with images of 40 megapixels from one address and the default limits, while a
 * neighbour at another address verifies a small image and sends it again after each 503.
 *
 * @param postgresUrl server for a database of its own.
 */
export async function attackVerification(postgresUrl: string): Promise<VerificationResult> {
  const service = await startStack({
    postgresUrl,
    processes: true,
    workers: 0,
    environment: { ...processTuning, LOG_LEVEL: "error", TRUSTED_PROXIES: "127.0.0.1" },
  });
  try {
    const large = new Uint8Array(whitePng(8_000, 5_000));
    const small = new Uint8Array(whitePng(600, 400));
    const verify = async (bytes: Uint8Array<ArrayBuffer>, address: string) => {
      const headers = { "Content-Type": "image/png", "X-Forwarded-For": address };
      const response = await fetch(`${service.url}/verify`, {
        method: "POST",
        headers,
        body: bytes,
      });
      await response.text();
      return response.status;
    };
    const measure = async () => {
      const tookMs: number[] = [];
      for (let index = 0; index < verifications; index++) {
        const startedAt = performance.now();
        // The neighbour has many addresses, so that its own limit does not count.
        while ((await verify(small, `198.51.100.${index + 1}`)) !== 200) await delay(100);
        tookMs.push(performance.now() - startedAt);
      }
      return percentile(tookMs, 0.95);
    };
    await measure();
    const idleP95Ms = await measure();
    const outcome: Record<string, number> = {};
    const over = new AbortController();
    const attack = Array.from({ length: connections }, async () => {
      while (!over.signal.aborted) {
        const status = await verify(large, "203.0.113.1");
        outcome[status] = (outcome[status] ?? 0) + 1;
        await delay(20);
      }
    });
    await delay(500);
    const p95Ms = await measure().finally(() => {
      over.abort();
    });
    await Promise.all(attack);
    // Two images of the attacker may be in front of one of the neighbour, with 10 s each.
    const maxMs = Math.max(10_000, 20 * idleP95Ms);
    const tooSlow = p95Ms > maxMs ? [`a verification takes more than ${maxMs.toFixed(0)} ms`] : [];
    // The default limit of 30 requests a minute allows three of them; two more may run at that time.
    const tooMany = (outcome["200"] ?? 0) > 5 ? ["more than 5 images of the attacker"] : [];
    return { idleP95Ms, p95Ms, outcome, violations: [...tooSlow, ...tooMany] };
  } finally {
    await service.stop();
  }
}
