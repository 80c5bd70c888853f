import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError } from "@atelier/schemas";
import express, { type NextFunction, type Request, type Response } from "express";
import { expect, it, onTestFinished } from "vitest";
import { requireHost } from "./require-host.ts";

/** Sends a request with this `Host` to an API with these settings, and returns the message of its error, or "served". */
async function send(host: string, config: Parameters<typeof requireHost>[0]): Promise<string> {
  const app = express();
  app.use(requireHost(config));
  app.get("/", (_request, response) => void response.send("served"));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    response.send(error instanceof AppError ? error.message : "unexpected");
  });
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: "127.0.0.1", headers: { host }, agent: false }).end();
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}

const PUBLIC_URL = "http://localhost:3000";

it.each(["localhost:3000", "127.0.0.1:3000", "127.0.1.1:3000", "[::1]:3000", "LOCALHOST:3000"])(
  "serves %s with LOCAL_ONLY",
  async (host) => {
    expect(await send(host, { LOCAL_ONLY: "on", PUBLIC_URL })).toBe("served");
  },
);

it.each(["192.168.1.5:3000", "localhost:8080", "localhost", "localhost.example:3000", "a b"])(
  "refuses %s with LOCAL_ONLY, and names PUBLIC_URL",
  async (host) => {
    expect(await send(host, { LOCAL_ONLY: "on", PUBLIC_URL })).toBe(
      "The header Host names another address than http://localhost:3000. " +
        `The operator sets PUBLIC_URL to the address of clients, such as http://${host}.`,
    );
  },
);

it("serves every address without LOCAL_ONLY", async () => {
  expect(await send("images.example", { LOCAL_ONLY: "off", PUBLIC_URL })).toBe("served");
});
