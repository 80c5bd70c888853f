import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createTokenCheck } from "@atelier/kit";

/** Result of a health probe of the worker. */
export interface Health {
  readonly ok: boolean;
  /** Whether something is missing although the worker works. */
  readonly isDegraded?: boolean;
  /** Included in the JSON response. */
  readonly details: Readonly<Record<string, string>>;
}

interface AdminOptions {
  readonly host: string;
  readonly port: number;
  /** Bearer token for `/metrics`; null disables the endpoint. */
  readonly metricsToken: string | null;
  /** All metrics in the Prometheus text format. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** `GET /healthz`: not ok when the process should be restarted. */
  readonly checkLiveness: () => Health | Promise<Health>;
  /** `GET /readyz`: not ok while the worker claims no renders. */
  readonly checkReadiness: () => Health | Promise<Health>;
}

export interface WorkerAdmin {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the operator endpoints (probes and metrics) of one worker on their own port. */
export async function startAdmin(options: AdminOptions): Promise<WorkerAdmin> {
  const isMetricsToken = createTokenCheck([options.metricsToken]);
  const server = createServer((request, response) => {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    answer(request, response, options, isMetricsToken).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 503, { error: error.name });
    });
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: AdminOptions,
  isMetricsToken: (token: string) => boolean,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") return sendJson(response, 405, {});
  const [path = ""] = (request.url ?? "").split("?");
  switch (path) {
    case "/healthz":
      return sendHealth(response, await options.checkLiveness());
    case "/readyz":
      return sendHealth(response, await options.checkReadiness());
    case "/metrics": {
      if (!isMetricsToken(readBearer(request))) {
        response.setHeader("WWW-Authenticate", 'Bearer realm="atelier metrics"');
        return sendJson(response, 401, { error: "send METRICS_TOKEN as a bearer token" });
      }
      const { contentType, text } = await options.metrics();
      response.writeHead(200, { "Content-Type": contentType }).end(text);
      return;
    }
    default:
      return sendJson(response, 404, {});
  }
}

function readBearer({ headers }: IncomingMessage): string {
  const [, token = ""] = /^Bearer +(\S.*)$/i.exec(headers.authorization ?? "") ?? [];
  return token;
}

function sendHealth(response: ServerResponse, { ok, isDegraded, details }: Health): void {
  const status = isDegraded === true ? "degraded" : "ok";
  sendJson(response, ok ? 200 : 503, { status: ok ? status : "unavailable", ...details });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
