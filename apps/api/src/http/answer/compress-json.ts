import type { NextFunction, Request, Response } from "express";
import { acceptedEncoding, type Encoding } from "./accepted-encoding.ts";
import { compressText } from "./compress-text.ts";

/** Bodies up to this size are sent as they are, in bytes: they fit into one packet. */
const maxPlainBytes = 1_024;

/**
 * Compresses the bodies of `response.json` above 1 kB for clients that accept it. Streams and files are
 * written in other ways and stay as they are.
 */
export function compressJson(request: Request, response: Response, next: NextFunction): void {
  response.json = (body) => {
    const text = Buffer.from(JSON.stringify(body));
    response.type("json");
    if (text.length <= maxPlainBytes) return response.send(text);
    response.vary("Accept-Encoding");
    const encoding = acceptedEncoding(request);
    if (encoding === null) return response.send(text);
    void sendCompressed(response, text, encoding);
    return response;
  };
  next();
}

/** Sends a text compressed, or as it is when it cannot be compressed. */
async function sendCompressed(response: Response, text: Buffer, encoding: Encoding): Promise<void> {
  const compressed = await compressText(text, encoding).catch(() => null);
  // An error that was thrown in the meantime has been sent instead.
  if (response.headersSent) return;
  if (compressed !== null) response.set("Content-Encoding", encoding);
  response.send(compressed ?? text);
}
