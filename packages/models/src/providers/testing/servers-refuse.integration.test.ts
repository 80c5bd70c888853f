import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAutomatic1111Server } from "../automatic1111/server.ts";
import { startBlackForestLabsServer } from "../black-forest-labs/server.ts";
import { startComfyUiServer } from "../comfyui/server.ts";
import type { ProtocolServer } from "./protocol-server.ts";
import { startReplicateServer } from "../replicate/server.ts";
import { startSdcppServer } from "../sdcpp/server.ts";

// The protocol servers must be strict: a lenient server would not detect adapter mistakes.

interface Vendor {
  readonly name: string;
  readonly start: () => Promise<ProtocolServer>;
  readonly path: string;
  readonly key: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly accepts: number;
  /** Statuses of rejected requests; `null` where the vendor does not validate. */
  readonly refuses: {
    readonly noKey: number | null;
    readonly notJson: number | null;
    readonly otherField: number;
    readonly wrongValue: number;
  };
  readonly wrongValue: Readonly<Record<string, unknown>>;
}

const apiKey = "user:password";
const basic = Buffer.from(apiKey).toString("base64");
const graph = {
  "5": { class_type: "EmptyLatentImage", inputs: { width: 64, height: 64 } },
  "9": { class_type: "SaveImage", inputs: { images: ["5", 0] } },
};

const vendors: readonly Vendor[] = [
  {
    name: "FLUX.2",
    start: () => startBlackForestLabsServer({ apiKey }),
    path: "/v1/flux-2-pro",
    key: { "x-key": apiKey },
    body: { prompt: "a lighthouse", width: 1024, height: 1024 },
    accepts: 200,
    refuses: { noKey: 403, notJson: 422, otherField: 422, wrongValue: 422 },
    wrongValue: { width: 1000 },
  },
  {
    name: "FLUX.3",
    start: () => startBlackForestLabsServer({ apiKey }),
    path: "/v1/flux-3-image",
    key: { "x-key": apiKey },
    body: { prompt: "a lighthouse", aspect_ratio: "16:9", resolution: "1k" },
    accepts: 200,
    refuses: { noKey: 403, notJson: 422, otherField: 422, wrongValue: 422 },
    wrongValue: { resolution: "1K" },
  },
  {
    name: "Replicate",
    start: () => startReplicateServer({ apiKey }),
    path: "/v1/models/black-forest-labs/flux-2-pro/predictions",
    key: { authorization: `Bearer ${apiKey}` },
    body: { input: { prompt: "a lighthouse" } },
    accepts: 201,
    refuses: { noKey: 401, notJson: 422, otherField: 422, wrongValue: 422 },
    wrongValue: { input: { prompt: "a lighthouse", aspect_ratio: "3:1" } },
  },
  {
    name: "stable-diffusion.cpp",
    start: startSdcppServer,
    path: "/sdcpp/v1/img_gen",
    key: {},
    body: { prompt: "a lighthouse", width: 512, height: 512, seed: 1, batch_count: 1 },
    accepts: 202,
    refuses: { noKey: null, notJson: null, otherField: 400, wrongValue: 400 },
    wrongValue: { width: 8192 },
  },
  {
    name: "ComfyUI",
    start: startComfyUiServer,
    path: "/prompt",
    key: {},
    body: { prompt: graph },
    accepts: 200,
    refuses: { noKey: null, notJson: null, otherField: 400, wrongValue: 400 },
    wrongValue: { prompt_id: "7C9E6679-7425-40DE-944B-E07FC1F90AE7" },
  },
  {
    name: "AUTOMATIC1111",
    start: () => startAutomatic1111Server({ apiKey }),
    path: "/sdapi/v1/txt2img",
    key: { authorization: `Basic ${basic}` },
    body: {
      prompt: "a lighthouse",
      width: 512,
      height: 512,
      seed: 1,
      steps: 4,
      batch_size: 1,
      n_iter: 1,
      send_images: true,
      save_images: false,
      override_settings: { sd_model_checkpoint: "model" },
      override_settings_restore_afterwards: false,
    },
    accepts: 200,
    refuses: { noKey: 401, notJson: 422, otherField: 422, wrongValue: 422 },
    wrongValue: { width: "512" },
  },
];

describe.each(vendors)("$name", ({ accepts, body, key, path, refuses, start, wrongValue }) => {
  let server: ProtocolServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());

  async function post(order: object, headers: Readonly<Record<string, string>>): Promise<number> {
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(order),
    });
    await response.arrayBuffer();
    return response.status;
  }

  const json = { "content-type": "application/json" };

  test("accepts valid requests and rejects invalid ones", async () => {
    expect(await post(body, { ...json, ...key })).toBe(accepts);

    expect(await post({ ...body, other_field: 1 }, { ...json, ...key })).toBe(refuses.otherField);
    expect(await post({ ...body, ...wrongValue }, { ...json, ...key })).toBe(refuses.wrongValue);
    expect(await post(body, json)).toBe(refuses.noKey ?? accepts);
    const text = { "content-type": "text/plain" };
    expect(await post(body, { ...text, ...key })).toBe(refuses.notJson ?? accepts);
  });
});
