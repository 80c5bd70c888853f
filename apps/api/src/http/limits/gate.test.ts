import { AppError } from "@atelier/schemas";
import express, { type NextFunction, type Request, type Response } from "express";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGate, type Gate } from "./gate.ts";

let gate: Gate;
let server: Server;

beforeEach(async () => {
  gate = createGate();
  const app = express();
  app.get("/readyz", gate.letProbeIn, (_request, response) => void response.send("ready"));
  app.use(gate.letIn, (_request, response) => void response.send("served"));
  app.use((error: AppError, _request: Request, response: Response, _next: NextFunction) => {
    response.status(error.status).send(error.code);
  });
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(path: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const kept = response.headers.get("Connection") === "close" ? "and ends" : "and stays";
  return `${response.status} ${await response.text()} ${kept}`;
}

it("admits all requests while the server runs", async () => {
  expect(await ask("/readyz")).toBe("200 ready and stays");
  expect(await ask("/")).toBe("200 served and stays");
});

it("fails probes first, and still serves one more request on each connection", async () => {
  gate.drain();
  expect(await ask("/readyz")).toBe("503 shutting_down and ends");
  expect(await ask("/")).toBe("200 served and ends");
});

it("then refuses all requests", async () => {
  gate.drain();
  gate.close();
  expect(await ask("/readyz")).toBe("503 shutting_down and ends");
  expect(await ask("/")).toBe("503 shutting_down and ends");
});
