import http from "node:http";
import https from "node:https";

type Transport = Pick<typeof http, "request">;
type OnResponse = (response: http.IncomingMessage) => void;

/** A readiness check asks with HEAD, and must answer before whoever asks gives up. */
const headTimeoutMs = 5_000;

/**
 * What the S3 client makes its requests with. Each of them ends, body included, within `timeoutMs`.
 * Connections are kept for the next request, as many at once as a busy worker needs; `agent.destroy`
 * ends them.
 */
export function createS3Transport(options: { readonly tls: boolean; readonly timeoutMs: number }): {
  transport: Transport;
  agent: http.Agent;
} {
  const protocol = options.tls ? https : http;
  const agent = new protocol.Agent({
    keepAlive: true,
    maxSockets: 128,
    // Idle connections are dropped before servers usually do it, which would fail a request.
    timeout: 15_000,
  });
  const transport: Transport = {
    request(
      input: string | URL | http.RequestOptions,
      second?: http.RequestOptions | OnResponse,
    ): http.ClientRequest {
      if (typeof input === "string" || input instanceof URL || typeof second === "object") {
        throw new TypeError("the S3 client makes its requests with options only");
      }
      const isHead = input.method === "HEAD";
      const limitMs = Math.min(options.timeoutMs, isHead ? headTimeoutMs : Infinity);
      return protocol.request({ ...input, signal: AbortSignal.timeout(limitMs) }, second);
    },
  };
  return { transport, agent };
}
