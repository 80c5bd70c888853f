import type { ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Site } from "./internet.ts";

/** A site that answers 200 with this body. */
export function sending(body: Uint8Array, headers: Record<string, string> = {}): Site {
  return { http: (_request, response) => response.writeHead(200, headers).end(body) };
}

/** A site that responds with another status. */
export function answering(status: number, body?: Uint8Array): Site {
  return { http: (_request, response) => response.writeHead(status).end(body) };
}

/** A site that redirects. */
export function redirecting(location: string, status = 302): Site {
  return { http: (_request, response) => response.writeHead(status, { location }).end() };
}

/** A site that sends this text, valid HTTP or not, and closes the connection. */
export function saying(text: string | Uint8Array): Site {
  return { raw: (socket) => socket.end(text) };
}

/** A site that sends this text and then repeats another until the connection closes. */
export function sayingEndlessly(text: string, repeated: string): Site {
  return {
    raw: (socket) => {
      socket.write(text);
      repeat(socket, repeated);
    },
  };
}

/** Writes the same text every few milliseconds until the connection closes. */
export function repeat(stream: TLSSocket | ServerResponse, text: string): void {
  const timer = setInterval(() => stream.write(text), 5);
  stream.on("close", () => clearInterval(timer));
}
