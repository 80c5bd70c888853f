import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that a client may pipeline on a connection before the first response. */
const maxPipelined = 4;

/**
 * Limits the connections of a server, before any request is read.
 *
 * At the limit, a new connection replaces the one that has been idle longest: of the new connection's
 * own address if that has more than half of all, otherwise of any address. A connection with a
 * request in progress is never closed for another. So idle connections cannot keep other clients out.
 *
 * @returns `listener`, except for connections that pipeline too many requests: those are closed,
 *   because one small packet could request thousands of responses.
 */
export function limitConnections(
  server: Pick<Server, "on">,
  listener: RequestListener,
  maxConnections: number,
): RequestListener {
  /** Requests in progress, by connection; the connection that has been idle longest comes first. */
  const requestsInProgress = new Map<Socket, number>();

  function makeRoom(newcomer: Socket): void {
    const silent = [...requestsInProgress]
      .filter(([, requests]) => requests === 0)
      .map(([socket]) => socket);
    const sameAddress = silent.filter(
      ({ remoteAddress }) => remoteAddress === newcomer.remoteAddress,
    );
    const [longest = newcomer] = sameAddress.length > maxConnections / 2 ? sameAddress : silent;
    longest.destroy();
  }

  server.on("connection", (socket: Socket) => {
    if (requestsInProgress.size >= maxConnections) makeRoom(socket);
    requestsInProgress.set(socket, 0);
    socket.once("close", () => requestsInProgress.delete(socket));
  });

  function end(socket: Socket): void {
    const requests = requestsInProgress.get(socket);
    if (requests === undefined) return;
    // Moves the connection to the end, since it was just active.
    requestsInProgress.delete(socket);
    requestsInProgress.set(socket, requests - 1);
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const requests = requestsInProgress.get(socket) ?? 0;
    if (requests >= maxPipelined) {
      socket.destroy();
      return;
    }
    requestsInProgress.set(socket, requests + 1);
    // Middleware, a route and the stream of a file wait for its end: 11 listeners, without a leak.
    response.setMaxListeners(20);
    response.once("close", () => end(socket));
    return listener(request, response);
  };
}
