import Replicate, { type ApiError } from "replicate";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProtocolServer } from "../testing/protocol-server.ts";
import { startReplicateServer } from "./server.ts";

// Run the vendor's own client against our protocol server, as an independent check of the server.

const apiKey = "r8_0123456789abcdef0123456789abcdef01234";
const model = "black-forest-labs/flux-2-pro";
let server: ProtocolServer;
let client: Replicate;

beforeAll(async () => {
  server = await startReplicateServer({ apiKey });
  client = new Replicate({ auth: apiKey, baseUrl: `${server.url}/v1` });
});
beforeEach(() => server.behave(null));
afterAll(() => server.close());

const run = () => client.predictions.create({ model, input: { prompt: "a lighthouse" } });

test("runs a model and returns its output", async () => {
  const output: unknown = await client.run(model, {
    input: { prompt: "a lighthouse", aspect_ratio: "16:9", output_format: "png" },
    wait: { mode: "poll", interval: 1 },
  });

  expect(output).toBeTypeOf("string");
  const file = await fetch(output as string);
  const { height, width } = await sharp(await file.arrayBuffer()).metadata();
  expect({ width, height }).toEqual({ width: 1328, height: 752 });
});

test("creates a prediction by version, polls and cancels it", async () => {
  const version = "00b07c32e314ceb5152c1d08e73400e6a61d7d22ba60a405fc76314fc807910c";
  const prediction = await client.predictions.create({
    version,
    input: { prompt: "a lighthouse" },
  });
  expect(prediction.status).toBe("starting");
  expect(prediction.urls.get).toContain(prediction.id);

  expect((await client.predictions.get(prediction.id)).status).toBe("starting");
  expect((await client.predictions.cancel(prediction.id)).status).toBe("canceled");
  expect((await client.predictions.get(prediction.id)).status).toBe("canceled");
});

test("returns a refused prompt as a failed prediction", async () => {
  server.behave({ kind: "refusal", shape: "e005" });
  const running = client.run(model, {
    input: { prompt: "a lighthouse" },
    wait: { mode: "poll", interval: 1 },
  });

  await expect(running).rejects.toThrow(/Prediction failed: .*\(E005\)/);
});

test.each([
  ["no credit", { kind: "out-of-quota" }, 402],
  ["an unknown input", { kind: "invalid-request" }, 422],
  ["a server error", { kind: "server-error", status: 500, at: "order" }, 500],
] as const)("the client meets %s", async (_what, fault, status) => {
  server.behave(fault);

  await expect(run()).rejects.toSatisfy((error: ApiError) => error.response.status === status);
});

test("rejects the client without a valid token", async () => {
  const stranger = new Replicate({ auth: "r8_stranger", baseUrl: `${server.url}/v1` });
  await expect(
    stranger.predictions.create({ model, input: { prompt: "a lighthouse" } }),
  ).rejects.toThrow(/401 Unauthorized.*valid authentication token/);
});
