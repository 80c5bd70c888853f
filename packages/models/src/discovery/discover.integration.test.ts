import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCatalogue } from "../catalogue.ts";
import { loadProviders } from "../provider-settings.ts";
import { startAutomatic1111Server } from "../providers/automatic1111/server.ts";
import { startComfyUiServer } from "../providers/comfyui/server.ts";
import {
  editWorkflowText,
  parametersWorkflowText,
} from "../providers/testing/comfyui-workflows.ts";
import { startOpenAiCompatibleServer } from "../providers/openai-compatible/server.ts";
import { startSdcppServer } from "../providers/sdcpp/server.ts";
import {
  startProtocolServer,
  type ProtocolServer,
  type Reply,
} from "../providers/testing/protocol-server.ts";
import { discoverModels } from "./discover.ts";

const apiKey = "atelier:correct-horse-battery";
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-discovery-"));
  await writeFile(join(directory, "parameters.json"), parametersWorkflowText);
  await writeFile(join(directory, "edit.json"), editWorkflowText);
});

afterAll(() => rm(directory, { recursive: true }));

interface Own {
  readonly entry: object;
  readonly environment?: Readonly<Record<string, string>>;
}

async function load({ entry, environment = {} }: Own) {
  const file = join(directory, "providers.json");
  await writeFile(file, JSON.stringify({ providers: { "gpu-box": entry } }));
  return loadProviders({ file, keys: {}, environment });
}

async function discover(own: Own, asked?: string) {
  const { usable } = await load(own);
  const settings = usable.find(({ name }) => name === "gpu-box")!;
  const signal = AbortSignal.timeout(30_000);
  return discoverModels(settings, { priceEur: "0.01", signal, server: asked });
}

const basic = { api_key_env: "GPU_BOX" };
const servers: readonly {
  readonly name: string;
  readonly start: () => Promise<ProtocolServer>;
  readonly entry: (url: string) => object;
  readonly found: readonly object[];
}[] = [
  {
    name: "stable-diffusion.cpp",
    start: startSdcppServer,
    entry: (base_url) => ({ kind: "sdcpp", base_url }),
    found: [
      {
        id: "z-image-turbo-q8-0",
        provider_model: "z_image_turbo-Q8_0",
        operations: ["image", "scene", "edit"],
        supports_mask: true,
        // A request cannot name the scheduler "default".
        defaults: { steps: 8, guidance: 1, sampler: "euler" },
        client_may_set: {
          steps: { min: 4, max: 16 },
          sampler: ["euler", "euler_a", "dpm++2m"],
          scheduler: ["discrete", "normal", "karras"],
          loras: {
            names: ["detail.safetensors", "styles/ink.safetensors"],
            weight: { min: 0, max: 1 },
            max: 2,
          },
        },
        prices_eur: { "1K": "0.01" },
      },
    ],
  },
  {
    name: "AUTOMATIC1111",
    start: () => startAutomatic1111Server({ apiKey }),
    entry: (base_url) => ({ kind: "automatic1111", base_url, ...basic }),
    found: [
      {
        id: "sd-xl-base-1.0",
        provider_model: "sd_xl_base_1.0",
        defaults: { steps: 30, guidance: 7 },
        client_may_set: {
          steps: { min: 15, max: 60 },
          guidance: { min: 1, max: 14 },
          sampler: ["Euler", "DPM++ 2M"],
          scheduler: ["automatic", "karras"],
          loras: { names: ["detail"], weight: { min: 0, max: 1 }, max: 1 },
        },
      },
      { id: "sd-xl-base-1.0-2", provider_model: "SD XL Base 1.0" },
    ],
  },
  {
    name: "ComfyUI",
    start: startComfyUiServer,
    entry: (base_url) => ({ kind: "comfyui", base_url, workflow_file: "parameters.json" }),
    found: [
      {
        id: "parameters",
        operations: ["image", "scene"],
        max_reference_images: 0,
        defaults: { steps: 28, guidance: 4, sampler: "euler", scheduler: "normal" },
        client_may_set: {
          steps: { min: 14, max: 56 },
          guidance: { min: 1, max: 8 },
          sampler: ["euler", "dpmpp_2m", "res_multistep"],
          scheduler: ["simple", "normal", "karras"],
          // The workflow has one slot.
          loras: {
            names: ["detail.safetensors", "styles/ink.safetensors"],
            weight: { min: 0, max: 1 },
            max: 1,
          },
        },
      },
    ],
  },
  {
    name: "ComfyUI with a workflow for edits",
    start: startComfyUiServer,
    entry: (base_url) => ({ kind: "comfyui", base_url, workflow_file: "edit.json" }),
    found: [{ id: "edit", operations: ["edit"], supports_mask: true, client_may_set: {} }],
  },
  {
    name: "vLLM-Omni",
    start: () => startOpenAiCompatibleServer({ flavour: "vllm-omni", apiKey }),
    entry: (url) => ({
      kind: "openai-compatible",
      base_url: `${url}/v1`,
      mask_field: "mask_image",
      negative_prompt: true,
      ...basic,
    }),
    found: [
      {
        id: "qwen-qwen-image",
        provider_model: "Qwen/Qwen-Image",
        operations: ["image", "scene", "edit"],
        supports_mask: true,
        supports_negative_prompt: true,
        supports_seed: true,
        defaults: {},
        client_may_set: { steps: { min: 1, max: 50 }, guidance: { min: 1, max: 20 } },
        sizes: { multiple_of: 64, min: 512, max: 2_048, max_pixels: 1_048_576 },
      },
    ],
  },
  {
    name: "SGLang",
    start: () => startOpenAiCompatibleServer({ flavour: "sglang", apiKey: null }),
    entry: (url) => ({ kind: "openai-compatible", base_url: `${url}/v1` }),
    found: [{ id: "tongyi-mai-z-image-turbo", operations: ["image", "scene"] }],
  },
];

describe.each(servers)("$name", ({ start, entry, found }) => {
  it("is described by entries that PROVIDERS_FILE takes", async () => {
    const server = await start();
    try {
      const settings = entry(server.url);
      const environment = { GPU_BOX: apiKey };
      const entries = await discover({ entry: settings, environment });
      expect(entries).toMatchObject(found);
      // As an operator pastes them.
      const pasted = JSON.parse(JSON.stringify(entries)) as unknown[];
      const providers = await load({ entry: { ...settings, models: pasted }, environment });
      const catalogue = await loadCatalogue(undefined, providers);
      for (const { id } of entries) {
        expect(catalogue.find(id)).toMatchObject({ id, provider: "gpu-box" });
      }
      expect(server.calls.every(({ method }) => method === "GET")).toBe(true);
    } finally {
      await server.close();
    }
  });
});

describe("several servers of a provider", () => {
  it("are asked one by one: the first, or the chosen one", async () => {
    const first = await startSdcppServer();
    const second = await startSdcppServer();
    try {
      const base_urls = [{ url: first.url }, { url: second.url }];
      const own = { entry: { kind: "sdcpp", base_urls } };
      await discover(own);
      expect([first.calls.length, second.calls.length]).toEqual([1, 0]);
      await discover(own, `${second.url}/`);
      expect([first.calls.length, second.calls.length]).toEqual([1, 1]);
      await expect(discover(own, "http://10.0.0.9")).rejects.toThrow(
        `"gpu-box" has no server http://10.0.0.9. It has ${first.url}, ${second.url}.`,
      );
    } finally {
      await first.close();
      await second.close();
    }
  });
});

describe("a server that cannot be described", () => {
  const sdcpp = (base_url: string): Own => ({ entry: { kind: "sdcpp", base_url } });

  it("that is not running is named with its setting", async () => {
    const server = await startSdcppServer();
    await server.close();
    await expect(discover(sdcpp(server.url))).rejects.toThrow(
      `${server.url}/sdcpp/v1/capabilities does not respond: connection failed: ECONNREFUSED. Start the server, or correct the address of "gpu-box" in PROVIDERS_FILE.`,
    );
  });

  it("that refuses the key is named, without the key", async () => {
    const server = await startAutomatic1111Server({ apiKey });
    try {
      const entry = { kind: "automatic1111", base_url: server.url, ...basic };
      const error: unknown = await discover({
        entry,
        environment: { GPU_BOX: "atelier:wrong-canary" },
      }).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(
        /refuses the key \(status 401\)\. Name its variable in api_key_env/,
      );
      expect(String(error)).not.toContain("wrong-canary");
    } finally {
      await server.close();
    }
  });

  it.each<[string, Reply, RegExp]>([
    [
      "an old server",
      { status: 404, json: {} },
      /capabilities responds with status 404\. Update stable-diffusion\.cpp/,
    ],
    [
      "another server",
      { status: 200, json: { data: [] } },
      /responds in another format:[^]*model[^]*Check the kind of "gpu-box"/,
    ],
    ["a web page", { status: 200, bytes: Buffer.from("<html>") }, /responds in another format/],
  ])("is named with what to do: %s", async (_, reply, message) => {
    const server = await startProtocolServer(() => reply);
    try {
      await expect(discover(sdcpp(server.url))).rejects.toThrow(message);
    } finally {
      await server.close();
    }
  });

  it("that lacks a node of the workflow is named with the node", async () => {
    const server = await startProtocolServer(() => ({ status: 200, json: {} }));
    try {
      const entry = { kind: "comfyui", base_url: server.url, workflow_file: "edit.json" };
      await expect(discover({ entry })).rejects.toThrow(
        "ComfyUI has no node KSampler, which the workflow uses. Install the extension",
      );
    } finally {
      await server.close();
    }
  });

  it("that belongs to a vendor is not asked", async () => {
    const entry = { kind: "openai", base_url: "https://api.example.com/v1", ...basic };
    await expect(discover({ entry, environment: { GPU_BOX: apiKey } })).rejects.toThrow(
      '"gpu-box" is of the kind openai, which cannot be asked. Only own servers can',
    );
  });
});
