import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { limitConnections } from "./limit-connections.ts";

const maxConnections = 4;

let server: Server;
let sockets: Socket[];
const closings = new WeakMap<Socket, Promise<unknown>>();
let served: number;
/** Responds to the waiting requests. */
let respond: () => void;

beforeEach(async () => {
  sockets = [];
  served = 0;
  const waiting: (() => void)[] = [];
  respond = () => waiting.splice(0).forEach((send) => send());
  server = createServer();
  const listener = limitConnections(
    server,
    (request, response) => {
      served += 1;
      if (request.url === "/wait") waiting.push(() => response.end("waited"));
      else response.end("served");
    },
    maxConnections,
  );
  server.on("request", listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function open(localAddress = "127.0.0.1"): Promise<Socket> {
  const accepted = once(server, "connection");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  sockets.push(socket);
  closings.set(socket, once(socket, "close"));
  await Promise.all([once(socket, "connect"), accepted]);
  return socket;
}

/** Resolves when a socket is closed; attaches its listener only once. */
async function untilClosed(socket: Socket): Promise<void> {
  await closings.get(socket);
}

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;

/** Sends a request on a connection and returns the response, or "closed". */
async function ask(socket: Socket, path = "/"): Promise<string> {
  const closed = untilClosed(socket).then(() => "closed");
  socket.write(requestFor(path));
  const response = once(socket, "data").then(([data]) => String(data).split("\r\n\r\n")[1] ?? "");
  return Promise.race([response, closed]);
}

it("closes the connection that has been idle longest for a new one", async () => {
  const [first, second] = [await open(), await open(), await open(), await open()];
  // The first connection is no longer the one that has been idle longest.
  expect(await ask(first)).toBe("served");
  const newcomer = await open();
  expect(await ask(newcomer)).toBe("served");
  await untilClosed(second);
  expect(await ask(first)).toBe("served");
});

it("closes a connection of the address with the most, even if another was idle longer", async () => {
  const neighbour = await open("127.0.0.2");
  const [attacker] = [await open(), await open(), await open()];
  const newcomer = await open();
  await untilClosed(attacker);
  expect(await ask(neighbour)).toBe("served");
  expect(await ask(newcomer)).toBe("served");
});

it("closes a new connection when all others have a request in progress", async () => {
  const waits = [await open(), await open(), await open(), await open()].map((socket) =>
    ask(socket, "/wait"),
  );
  await vi.waitFor(() => expect(served).toBe(maxConnections));
  const newcomer = await open();
  expect(await ask(newcomer)).toBe("closed");
  respond();
  expect(await Promise.all(waits)).toEqual(Array(maxConnections).fill("waited"));
});

it("closes a connection that exceeds the limit of pipelined requests", async () => {
  const socket = await open();
  socket.write(requestFor("/wait").repeat(1_000));
  await once(socket, "close");
  expect(served).toBe(4);
});

it("serves any number of sequential requests on a connection", async () => {
  const socket = await open();
  for (let sent = 0; sent < 40; sent += 1) expect(await ask(socket)).toBe("served");
});
