import { AppError } from "@atelier/schemas";
import express, { type Response as ServerResponse } from "express";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { presentOpenAIErrors } from "../../openai/openai-paths.ts";
import { handleErrors } from "../error-handler.ts";
import { createShares } from "../limits/shares.ts";
import { keepOpen } from "./keep-open.ts";
import { sendingMemory, sendPieces } from "./send-files.ts";

const comment = ": the image is being made\n\n";
const silent = { warn: () => undefined, error: () => undefined };

/** Requests a stream that is kept open while `wait` is pending. */
async function request(
  wait: (response: ServerResponse) => Promise<void>,
  everyMs: number,
): Promise<Response> {
  const app = express();
  app.use(presentOpenAIErrors);
  app.use(async (_request, response) => {
    const stop = keepOpen(response, everyMs);
    await wait(response).finally(stop);
    const dependencies = {
      storage: { get: () => Promise.resolve(null) },
      memory: createShares(sendingMemory),
    };
    const signal = new AbortController().signal;
    const options = { accountId: "a", type: "text/event-stream", signal };
    await sendPieces(response, ["event: done\n", "data: {}\n\n"], options, dependencies);
  });
  app.use(handleErrors(silent));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/images/edits`);
}

/** Reads until two comments have arrived, calls `then`, and returns all that was sent. */
async function readThrough(response: Response, then: () => void): Promise<string> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.split(comment).length > 2) then();
  }
  return text;
}

it("a slow stream receives comments, and then its events", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const response = await request(() => promise, 5);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  const text = await readThrough(response, resolve);
  expect(text.replaceAll(comment, "")).toBe("event: done\ndata: {}\n\n");
});

it("a slow stream ends with an event for its error, as OpenAI's clients read it", async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const response = await request(() => promise, 5);
  const error = new AppError("provider_error", "No image was made.");
  const text = await readThrough(response, () => reject(error));
  const [, data] = /event: error\ndata: (.*)\n\n$/.exec(text) ?? [];
  expect(JSON.parse(data ?? "")).toMatchObject({ error: { code: "provider_error" } });
});

it("a response that is ready in time keeps its status and its length", async () => {
  const made = await request(() => Promise.resolve(), 60_000);
  expect(made.headers.get("Content-Length")).toBe("22");
  const refused = await request(
    () => Promise.reject(new AppError("provider_error", "No image was made.")),
    60_000,
  );
  expect(refused.status).toBe(502);
});
