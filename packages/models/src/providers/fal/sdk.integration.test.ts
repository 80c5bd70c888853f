import {
  createFalClient,
  type ApiError,
  type FalClient,
  type ValidationError,
} from "@fal-ai/client";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeReferences } from "../testing/call-adapter.ts";
import type { ProtocolServer } from "../testing/protocol-server.ts";
import { startFalServer } from "./server.ts";

// Run the vendor's own client against our protocol server, as an independent check of the server.

const apiKey = "0f8e6c1a-1111-2222-3333-444455556666:0123456789abcdef0123456789abcdef";
// Typed as string: the client has input types for known models, but tests also send invalid inputs.
const model: string = "fal-ai/flux-2-pro";
let server: ProtocolServer;
let client: FalClient;

/** The client builds its URLs itself, only for fal's own host; this redirects them. */
const connect = (credentials: string): FalClient =>
  createFalClient({
    credentials,
    fetch: (input, init) => {
      const { href } = new URL(input instanceof Request ? input.url : input);
      return fetch(href.replace("https://queue.fal.run", server.url), init);
    },
  });

beforeAll(async () => {
  server = await startFalServer({ apiKey });
  client = connect(apiKey);
});
beforeEach(() => server.behave(null));
afterAll(() => server.close());

const subscribe = (input: object) => client.subscribe(model, { input, pollInterval: 1 });

test("submits a request, polls it and fetches the result", async () => {
  const statuses: string[] = [];
  const result = await client.subscribe(`${model}/edit`, {
    input: {
      prompt: "a lighthouse",
      image_size: { width: 1344, height: 768 },
      image_urls: (await makeReferences("Mara")).map(
        ({ bytes }) => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`,
      ),
    },
    pollInterval: 1,
    onQueueUpdate: ({ status }) => statuses.push(status),
  });

  expect(statuses).toEqual(["IN_QUEUE", "COMPLETED"]);
  const [image] = (result.data as { images: { url: string }[] }).images;
  const file = await fetch(image?.url ?? "");
  const { height, width } = await sharp(await file.arrayBuffer()).metadata();
  expect({ width, height }).toEqual({ width: 1344, height: 768 });
});

test("returns a refused prompt as a validation error of the result with its documented type", async () => {
  server.behave({ kind: "refusal", shape: "prompt" });

  await expect(subscribe({ prompt: "a lighthouse" })).rejects.toSatisfy(
    (error: ValidationError) => error.fieldErrors[0]?.type === "content_policy_violation",
  );
});

test("returns an invalid model input as a validation error of the result", async () => {
  await expect(subscribe({ prompt: "a lighthouse", steps: 4 })).rejects.toSatisfy(
    (error: ValidationError) => error.status === 422 && error.fieldErrors.length === 1,
  );
});

test.each([
  ["no credit", { kind: "out-of-quota" }, 403],
  ["a server error", { kind: "server-error", status: 500, at: "order" }, 500],
] as const)("the client meets %s", async (_what, fault, status) => {
  server.behave(fault);

  await expect(client.queue.submit(model, { input: { prompt: "a" } })).rejects.toSatisfy(
    (error: ApiError<unknown>) => error.status === status,
  );
});

test("cancels a known request and rejects cancelling an unknown one", async () => {
  const { request_id: requestId } = await client.queue.submit(model, { input: { prompt: "a" } });

  await client.queue.cancel(model, { requestId });
  await expect(client.queue.cancel(model, { requestId: "unknown" })).rejects.toThrow();
});

test("rejects the client without a valid key", async () => {
  const stranger = connect("stranger");
  await expect(stranger.queue.submit(model, { input: { prompt: "a" } })).rejects.toSatisfy(
    (error: ApiError<unknown>) => error.status === 401,
  );
});
