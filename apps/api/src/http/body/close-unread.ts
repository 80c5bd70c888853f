import type { NextFunction, Request, Response } from "express";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { declaredBytes } from "./receive-body.ts";

/** Maximum rest of a body that is read and dropped to keep the connection open, in bytes. */
const keepBytes = 65_536;

/** Time that a client has to stop sending before the connection is reset, in milliseconds. */
const lingerMs = 1_000;

/**
 * Closes the connection of a request that got its response before its body was read, unless little of
 * the body is left. To keep the connection, Node would read all of it, however large.
 */
export function closeUnread(request: Request, response: Response, next: NextFunction): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => Response;
  response.writeHead = (...args: unknown[]) => {
    if (hasMuchUnread(request)) {
      response.setHeader("Connection", "close");
      closeInTwoSteps(request.socket);
    }
    return writeHead(...args);
  };
  next();
}

function hasMuchUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const declared = declaredBytes(request);
  return declared === null || declared > keepBytes;
}

/**
 * Closes a connection in two steps: the response is ended first, the rest a second later. An
 * immediate close with incoming bytes would reset the connection, and the client could lose the
 * response (RFC 9112, section 9.6). What arrives in between is dropped, for clients that send all of
 * their body before they read.
 */
function closeInTwoSteps(socket: Socket): void {
  // Node calls this after a response with `Connection: close`.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  };
}
