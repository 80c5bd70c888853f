import { Socket } from "node:net";

/** Opens the sockets of connections, and can break all of them. */
interface ConnectionGate {
  /** Creates the socket of a new connection. */
  readonly open: () => Socket;
  /** Aborts when the gate is closed. */
  readonly closed: AbortSignal;
  /** Breaks all connections, and every one that is opened later. */
  close(): void;
}

/** Creates an open gate. */
export function createConnectionGate(): ConnectionGate {
  const closing = new AbortController();
  const sockets = new Set<Socket>();
  const destroy = (socket: Socket) =>
    socket.destroy(Object.assign(new Error("the database is unavailable"), { code: "ECONNRESET" }));

  return {
    open() {
      const socket = new Socket();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      // In the next turn, when the connection listens for errors.
      if (closing.signal.aborted) setImmediate(destroy, socket);
      return socket;
    },
    closed: closing.signal,
    close() {
      closing.abort();
      for (const socket of sockets) destroy(socket);
    },
  };
}
