import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server } from "node:net";
import { createSecureContext, createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { TestingOptions } from "../connect.ts";
import { createCertificateAuthority } from "./certificates.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type RawHandler = (socket: TLSSocket) => void;

/** The behaviour of one host name of the simulated internet. */
export interface Site {
  /** DNS responses in order; the last one is repeated. Default: one public address. */
  readonly addresses?: readonly (readonly string[])[];
  /** Answers requests. */
  readonly http?: Handler;
  /**
   * Handles the raw connection after the handshake, for responses that an HTTP server cannot send.
   */
  readonly raw?: RawHandler;
  /** The certificate to present instead of a valid one. */
  readonly certificate?: "self-signed" | "other-name" | "expired";
}

/** The server and the first DNS responses of a simulated internet, for another process. */
export interface InternetAddress {
  readonly ca: string;
  readonly host: string;
  readonly port: number;
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** The network of a process whose every connection leads to a simulated internet. */
export function networkOf({ ca, host, port, names }: InternetAddress): TestingOptions {
  return {
    ca,
    lookup: (name) => Promise.resolve(names[name] ?? []),
    route: () => ({ host, port }),
  };
}

export interface Internet {
  readonly testing: TestingOptions;
  readonly address: InternetAddress;
  /** All lookups, dialled addresses and requests so far, in order. */
  readonly seen: { lookups: string[]; dials: string[]; requests: IncomingMessage[] };
  /** Number of connections that reached the server, with or without a request. */
  connectionCount(): number;
  close(): Promise<void>;
}

/** The address of sites without an explicit one: public, but never contacted. */
export const publicAddress = "93.184.215.14";

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}

/**
 * A DNS and one HTTPS server on loopback that simulates every site, identified by the server name
 * of the TLS handshake. All routes lead to this server, so every forbidden connection is counted,
 * whatever its target.
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
  const names = Object.fromEntries(
    Object.entries(sites).map(([name, { addresses = [] }]) => [
      name,
      addresses[0] ?? [publicAddress],
    ]),
  );

  return {
    address: { ca: authority.cert, host: "127.0.0.1", port, names },
    testing: {
      ca: authority.cert,
      lookup: async (name) => {
        const site = sites[name];
        const earlierLookups = seen.lookups.filter((earlier) => earlier === name).length;
        seen.lookups.push(name);
        if (site === undefined) {
          throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
        }
        const answers = site.addresses ?? [[publicAddress]];
        return answers[Math.min(earlierLookups, answers.length - 1)] ?? [];
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
