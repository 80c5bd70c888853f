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
  async function ask(signal: AbortSignal): Promise<HttpResponse | CallEnded> {
    try {
      // The purpose distinguishes a connection that was refused from a response that was lost.
      return await send({ method: "GET", url, signal, purpose: "generate" });
    } catch (error) {
      if (error instanceof CallEnded) return error;
      throw error;
    }
  }

  return async function check(signal: AbortSignal): Promise<ServerCheck> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    let answer = await ask(inTime);
    // A connection that was kept open breaks when its server ends. A new one is refused.
    if (answer instanceof CallEnded && !answer.isRefused && !inTime.aborted) {
      answer = await ask(inTime);
    }
    if (answer instanceof CallEnded) {
      const { isRefused, outcome } = answer;
      const message = "message" in outcome ? outcome.message : outcome.kind;
      // A failure of DNS or a slow connection says nothing about the engine, which may be at work.
      return { kind: isRefused ? "gone" : "silent", message };
    }
    if (answer.status >= 500) return { kind: "silent", message: `status ${answer.status}` };
    const jobs = answer.status === 200 ? (countJobs?.(answer) ?? null) : null;
    return { kind: "ok", jobs };
  };
}
