import type { Response } from "express";

/** Proxies close connections that are silent for a minute or less. */
const intervalMs = 15_000;

/** The comment of server-sent events that keeps a connection open; clients ignore it. */
const comment = ": the image is being made\n\n";

/**
 * Begins an event stream with a comment when nothing was sent for 15 seconds, and sends one as often, until
 * it is stopped. A response that is ready earlier keeps its status.
 *
 * @returns the function that stops it.
 */
export function keepOpen(response: Response, everyMs = intervalMs): () => void {
  const timer = setInterval(() => {
    if (response.destroyed || response.writableEnded) return clearInterval(timer);
    if (!response.headersSent) {
      response.locals["isKeptOpen"] = true;
      response.writeHead(200, streamHeaders);
    }
    response.write(comment);
  }, everyMs);
  return () => clearInterval(timer);
}

const streamHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/** Whether only comments were sent so far. */
export function isKeptOpen({ locals, writableEnded }: Response): boolean {
  return locals["isKeptOpen"] === true && !writableEnded;
}

/** Ends a stream of comments with an error, as OpenAI's clients read it. */
export function endWithError(response: Response, body: object): void {
  response.end(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
}
