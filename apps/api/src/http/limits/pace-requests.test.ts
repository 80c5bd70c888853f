import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { paceRequests } from "./pace-requests.ts";

let started: ServerResponse[];
let listener: ReturnType<typeof paceRequests>;

beforeEach(() => {
  started = [];
  listener = paceRequests((_request, response) => void started.push(response), 3);
});

/** A request that has arrived on a connection. */
function arrive(socket = new Socket()): ServerResponse {
  const request = new IncomingMessage(socket);
  const response = new ServerResponse(request);
  listener(request, response);
  return response;
}

it("starts a limited number of requests in a turn of the event loop, in their order", async () => {
  const responses = Array.from({ length: 8 }, () => arrive());
  expect(started).toHaveLength(3);
  await setImmediate();
  expect(started).toHaveLength(6);
  const late = arrive();
  await setImmediate();
  expect(started).toEqual([...responses, late]);
});

it("starts a request at once in a later turn", async () => {
  for (let sent = 0; sent < 3; sent += 1) arrive();
  await setImmediate();
  const response = arrive();
  expect(started.at(-1)).toBe(response);
});

it("starts the next request of a connection when the response before it is closed", () => {
  const socket = new Socket();
  const [first, second] = [arrive(socket), arrive(socket)];
  expect(started).toEqual([first]);
  first.emit("close");
  expect(started).toEqual([first, second]);
});

it("does not start requests of closed connections", async () => {
  const gone = new Socket();
  const [first] = [arrive(gone), arrive(gone)];
  for (let sent = 0; sent < 3; sent += 1) arrive();
  gone.destroy();
  first.emit("close");
  await setImmediate();
  expect(started).toHaveLength(4);
});
