import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createTokenCheck } from "@atelier/configuration";

/** What a probe of the worker found. */
export interface Health {
  readonly ok: boolean;
  /** Shown to the operator as JSON. */
  readonly details: Readonly<Record<string, string>>;
}

export interface AdminOptions {
  readonly host: string;
  readonly port: number;
  /** Opens `/metrics`; null keeps it closed. */
  readonly metricsToken: string | null;
  /** All metrics in Prometheus' text format. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** `GET /healthz`: false when the process should be started again. */
  readonly checkLiveness: () => Health | Promise<Health>;
  /** `GET /readyz`: false while it takes no renders. */
  readonly checkReadiness: () => Health | Promise<Health>;
}

export interface WorkerAdmin {
  readonly port: number;
  close(): Promise<void>;
}

/** For operators: probes and metrics of one worker, on a port of its own. */
export async function startAdmin(options: AdminOptions): Promise<WorkerAdmin> {
  const opensMetrics = createTokenCheck([options.metricsToken]);
  const server = createServer((request, response) => {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    answer(request, response, options, opensMetrics).catch((error: Error) => {
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
  opensMetrics: (token: string) => boolean,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") return sendJson(response, 405, {});
  const [path = ""] = (request.url ?? "").split("?");
  switch (path) {
    case "/healthz":
      return sendHealth(response, await options.checkLiveness());
    case "/readyz":
      return sendHealth(response, await options.checkReadiness());
    case "/metrics": {
      if (!opensMetrics(readBearer(request))) {
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
  const [, given = ""] = /^Bearer +(\S.*)$/i.exec(headers.authorization ?? "") ?? [];
  return given;
}

function sendHealth(response: ServerResponse, { ok, details }: Health): void {
  sendJson(response, ok ? 200 : 503, { status: ok ? "ok" : "unavailable", ...details });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
