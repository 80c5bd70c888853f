import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server } from "node:net";
import { createSecureContext, createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { TestingOptions } from "../connect.ts";
import { createCertificateAuthority } from "./certificates.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type RawHandler = (socket: TLSSocket) => void;

/** What one host name of the little internet does. */
export interface Site {
  /** The answers of the DNS in turn; the last one is repeated. Default: one public address. */
  readonly addresses?: readonly (readonly string[])[];
  /** Answers requests. */
  readonly http?: Handler;
  /** Takes the connection after the handshake, for what no HTTP server would say. */
  readonly raw?: RawHandler;
  /** The certificate that is shown, where it is not a good one. */
  readonly certificate?: "self-signed" | "other-name" | "expired";
}

export interface Internet {
  readonly testing: TestingOptions;
  /** Every look-up, dialled address and request so far, in order. */
  readonly seen: { lookups: string[]; dials: string[]; requests: IncomingMessage[] };
  /** Connections that reached the server, whatever was sent on them. */
  connectionCount(): number;
  close(): Promise<void>;
}

/** An address for sites that name none: public, and its owner is never contacted. */
export const publicAddress = "93.184.215.14";

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}

/**
 * A DNS and one HTTPS server on loopback that plays every site, told apart by
 * the server name of the TLS handshake. All routes lead to this server, so a
 * connection that should not have been made is counted, wherever it was going.
 */
export async function startInternet(sites: Readonly<Record<string, Site>>): Promise<Internet> {
  const authority = createCertificateAuthority("the internet");
  const good = authority.issue([...Object.keys(sites), publicAddress]);
  const anHourAgo = Date.now() - 3_600_000;
  const certificates = {
    good: createSecureContext(good),
    "self-signed": createSecureContext(
      createCertificateAuthority("somebody else").issue(Object.keys(sites)),
    ),
    "other-name": createSecureContext(authority.issue(["other-name.example.net"])),
    expired: createSecureContext(
      authority.issue(Object.keys(sites), {
        from: new Date(anHourAgo - 3_600_000),
        until: new Date(anHourAgo),
      }),
    ),
  };
  const seen: Internet["seen"] = { lookups: [], dials: [], requests: [] };
  const sockets = new Set<{ destroy(): void }>();
  let connections = 0;

  const http = createServer((request, response) => {
    seen.requests.push(request);
    const site = sites[request.headers.host ?? ""];
    if (site?.http === undefined) response.writeHead(404).end();
    else site.http(request, response);
  });
  const server = createTlsServer(
    {
      ...good,
      SNICallback: (name, done) => done(null, certificates[sites[name]?.certificate ?? "good"]),
    },
    (socket) => {
      socket.on("error", () => {});
      const raw = sites[String(socket.servername)]?.raw;
      if (raw === undefined) http.emit("connection", socket);
      else socket.once("data", () => raw(socket));
    },
  );
  server.on("tlsClientError", () => {});
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);

  return {
    testing: {
      ca: authority.cert,
      lookup: async (name) => {
        const site = sites[name];
        const asked = seen.lookups.filter((earlier) => earlier === name).length;
        seen.lookups.push(name);
        if (site === undefined) {
          throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
        }
        const answers = site.addresses ?? [[publicAddress]];
        return answers[Math.min(asked, answers.length - 1)] ?? [];
      },
      route: (address) => {
        seen.dials.push(address);
        return { host: "127.0.0.1", port };
      },
    },
    seen,
    connectionCount: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
