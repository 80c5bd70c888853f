import http from "node:http";
import https from "node:https";

type Transport = Pick<typeof http, "request">;
type OnResponse = (response: http.IncomingMessage) => void;

/** Timeout of HEAD requests: readiness checks must respond before the probe times out. */
const headTimeoutMs = 5_000;

/**
 * Creates the transport of the S3 client. Each request including its body ends within `timeoutMs`.
 * Connections are kept alive until `agent.destroy`.
 */
export function createS3Transport(options: { readonly tls: boolean; readonly timeoutMs: number }): {
  transport: Transport;
  agent: http.Agent;
} {
  const protocol = options.tls ? https : http;
  const agent = new protocol.Agent({
    keepAlive: true,
    maxSockets: 128,
    // Shorter than the keep-alive timeout of common servers, which would fail a request.
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
