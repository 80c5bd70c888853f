import { once } from "node:events";
import { createServer } from "node:net";
import { freePorts } from "@atelier/local-services/free-ports";
import type { Settings } from "./settings.ts";
import { codeOf } from "./describe-error.ts";

export interface Ports {
  readonly api: number;
  readonly admin: number;
}

/**
 * Chooses the ports and checks that they are free, before anything starts.
 *
 * @throws Error that names the port in use and says what to do.
 */
export async function choosePorts(
  settings: Pick<Settings, "host" | "port" | "adminPort">,
): Promise<Ports> {
  const { host, port, adminPort } = settings;
  if (!(await isFree(port, host))) throw portInUse("PORT", port);
  if (adminPort !== null) {
    if (adminPort === port) throw new Error("PORT and ADMIN_PORT must be different.");
    if (!(await isFree(adminPort, "127.0.0.1"))) throw portInUse("ADMIN_PORT", adminPort);
    return { api: port, admin: adminPort };
  }
  const next = port + 1;
  const isNextFree = next <= 65_535 && (await isFree(next, "127.0.0.1"));
  return { api: port, admin: isNextFree ? next : await findFreePort() };
}

/** Returns a free port of the loopback address, which no outgoing connection takes before it is used. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/**
 * `localhost` may resolve to 127.0.0.1 or ::1. Both must be free, or another server on one of them
 * could receive our requests.
 */
async function isFree(port: number, host: string): Promise<boolean> {
  for (const address of new Set([host, "127.0.0.1", "::1"])) {
    if (!(await canListen(port, address))) return false;
  }
  return true;
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
    await once(server.close(), "close");
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EADDRINUSE") return false;
    // Without IPv6, no server can listen on ::1.
    if (host === "::1" && (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT")) return true;
    throw error;
  }
}

function portInUse(name: string, port: number): Error {
  return new Error(
    `Port ${port} is in use. Stop the program that uses it, or choose another port: ${name}=${port + 10} npm start`,
  );
}
