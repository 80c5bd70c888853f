import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LimitError } from "@atelier/kit/limited-process";
import { AppError } from "@atelier/schemas";
import express from "express";
import { expect, it } from "vitest";
import { handleErrors, toAppError } from "./error-handler.ts";

it.each([
  ["a warning for a refused request", new AppError("overloaded", "No room."), "warn"],
  [
    "an error for an outage",
    new AppError("overloaded", "No room.", { cause: new Error("down") }),
    "error",
  ],
  ["an error for a fault", new Error("a fault"), "error"],
])("logs %s", async (_, thrown, level) => {
  const levels: string[] = [];
  const logger = { warn: () => levels.push("warn"), error: () => levels.push("error") };
  const app = express();
  app.use(() => {
    throw thrown;
  });
  app.use(handleErrors(logger));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    await fetch(`http://127.0.0.1:${port}/`);
    expect(levels).toEqual([level]);
  } finally {
    server.close();
  }
});

it("is 503 overloaded when the machine is too busy to read a file", () => {
  expect(toAppError(new LimitError("busy"))).toMatchObject({ code: "overloaded", status: 503 });
});
