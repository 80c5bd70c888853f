import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that start in one turn of the event loop. */
const defaultMaxPerTurn = 32;

/**
 * Starts the requests of a connection one after another, and at most `maxPerTurn` requests of all
 * connections in one turn of the event loop. Node would start all requests that have arrived before
 * it returns to timers and other events: thousands, when many connections send at the same moment.
 */
export function paceRequests(
  listener: RequestListener,
  maxPerTurn = defaultMaxPerTurn,
): RequestListener {
  /** Requests that start in the next turns. */
  const ready: (() => void)[] = [];
  /** Requests behind an unanswered one, by connection. */
  const pipelined = new WeakMap<Socket, (() => void)[]>();
  let startedInTurn = 0;
  let turnEnd: NodeJS.Immediate | undefined;

  function begin(start: () => void): void {
    turnEnd ??= setImmediate(nextTurn);
    if (startedInTurn >= maxPerTurn || ready.length > 0) {
      ready.push(start);
      return;
    }
    startedInTurn += 1;
    start();
  }

  function nextTurn(): void {
    const starting = ready.splice(0, maxPerTurn);
    startedInTurn = starting.length;
    turnEnd = startedInTurn === 0 ? undefined : setImmediate(nextTurn);
    for (const start of starting) start();
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A later turn must not run in the trace of another request.
    const start = AsyncResource.bind(() => {
      // The client has disconnected meanwhile: the response would never end.
      if (!socket.destroyed) listener(request, response);
    });
    response.once("close", () => {
      const next = pipelined.get(socket)?.shift();
      if (next === undefined) pipelined.delete(socket);
      else begin(next);
    });
    const line = pipelined.get(socket);
    if (line === undefined) {
      pipelined.set(socket, []);
      begin(start);
    } else {
      line.push(start);
    }
  };
}
