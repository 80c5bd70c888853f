import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Accepts a WebSocket of a client (RFC 6455).
 *
 * @returns a function that sends a text of less than 64 KiB.
 */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex): (text: string) => void {
  const accept = createHash("sha1")
    .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  socket.on("error", () => undefined);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  // The only frame of the client closes the connection.
  socket.once("data", () => socket.destroy());
  socket.once("end", () => socket.destroy());
  return (text) => {
    const payload = Buffer.from(text);
    const head = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]);
    // Short lengths have a form of their own.
    const short = Buffer.from([0x81, payload.length]);
    if (socket.writable)
      socket.write(Buffer.concat([payload.length < 126 ? short : head, payload]));
  };
}
