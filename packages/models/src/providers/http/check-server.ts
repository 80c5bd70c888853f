import type { ServerCheck } from "../../provider.ts";
import { CallEnded } from "./call-ended.ts";
import type { HttpResponse, Send } from "./send.ts";

/** A busy server may answer late; one that is down refuses at once. */
const timeoutMs = 5_000;

interface CheckOptions {
  readonly send: Send;
  /** A request that costs the server nothing, relative to its URL. */
  readonly url: string;
  /** Unfinished jobs of all clients; omitted for a server that does not say. */
  readonly countJobs?: (response: HttpResponse) => number | null;
}

/**
 * Creates the `check` of an adapter. Any response below 500 shows that the server works; only a refused
 * connection shows that it is gone.
 */
export function createCheck({ countJobs, send, url }: CheckOptions) {
  return async function check(signal: AbortSignal): Promise<ServerCheck> {
    try {
      const response = await send({
        method: "GET",
        url,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        // Distinguishes a connection that was refused from a response that was lost.
        purpose: "generate",
      });
      if (response.status >= 500) return { kind: "silent", message: `status ${response.status}` };
      const jobs = response.status === 200 ? (countJobs?.(response) ?? null) : null;
      return { kind: "ok", jobs };
    } catch (error) {
      if (!(error instanceof CallEnded)) throw error;
      const { isRefused, outcome } = error;
      const message = "message" in outcome ? outcome.message : outcome.kind;
      // A failure of DNS or a slow connection says nothing about the engine, which may be at work.
      return { kind: isRefused ? "gone" : "silent", message };
    }
  };
}
