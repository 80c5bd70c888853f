import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EngineDefaults } from "../../engine-settings.ts";
import { automatic1111Contract } from "../automatic1111/contract.ts";
import { createComfyUiProvider } from "../comfyui/comfyui.ts";
import { readComfyUiWorkflow } from "../comfyui/comfyui-workflow.ts";
import { comfyUiContract } from "../comfyui/contract.ts";
import { parametersWorkflowText } from "./comfyui-workflows.ts";
import { describedContracts } from "../described/testing/contracts.ts";
import { openAiCompatibleContracts } from "../openai-compatible/contract.ts";
import { sdcppContract } from "../sdcpp/contract.ts";
import { callAdapter, makeReferences } from "./call-adapter.ts";
import type { ProviderContract } from "./contract/provider-contract.ts";
import type { ProtocolCall, ProtocolServer } from "./protocol-server.ts";

type Body = Record<string, unknown>;

interface Engine {
  readonly contract: ProviderContract;
  /** Names that the engine knows. */
  readonly presets: EngineDefaults;
  /** Fields that the engine must receive for the presets with a number of steps. */
  readonly received: (steps: number) => object;
  /** The part of the request that has the options. */
  readonly read?: (body: Body) => unknown;
}

const isSynchronous = ({ name }: ProviderContract) => /vllm-omni|sglang/.test(name);
/** SGLang has LoRAs for all requests alike. */
const hasLora = ({ name }: ProviderContract) => name.endsWith("vllm-omni");
const loras = [{ name: "detail", weight: 0.6 }];

const localAiContract = openAiCompatibleContracts.find(({ name }) => name.endsWith("localai"))!;

const bentoMlContract = describedContracts.find(({ name }) => name === "bentoml")!;

const comfyUi: ProviderContract = {
  ...comfyUiContract,
  create: ({ limits, url }) =>
    createComfyUiProvider({
      ...limits,
      baseUrl: url,
      workflow: readComfyUiWorkflow(parametersWorkflowText, "workflow.json"),
      pollIntervalMs: 1,
    }),
};

const engines: readonly Engine[] = [
  {
    contract: automatic1111Contract,
    presets: { guidance: 1, sampler: "Euler", scheduler: "simple", loras, extra: { n_iter: 1 } },
    received: (steps) => ({
      prompt: "a lighthouse in a storm <lora:detail:0.6>",
      seed: 7,
      steps,
      cfg_scale: 1,
      sampler_name: "Euler",
      scheduler: "simple",
    }),
  },
  {
    contract: sdcppContract,
    presets: { guidance: 1, sampler: "euler", scheduler: "karras", loras },
    received: (steps) => ({
      prompt: "a lighthouse in a storm",
      seed: 7,
      sample_params: {
        sample_steps: steps,
        sample_method: "euler",
        scheduler: "karras",
        guidance: { txt_cfg: 1 },
      },
      lora: [{ path: "detail", multiplier: 0.6 }],
    }),
  },
  {
    contract: comfyUi,
    presets: { guidance: 1, sampler: "dpmpp_2m", scheduler: "karras", loras },
    read: ({ prompt: graph }) => graph,
    received: (steps) => ({
      "3": { inputs: { seed: 7, steps, cfg: 1, sampler_name: "dpmpp_2m", scheduler: "karras" } },
      "12": { inputs: { lora_name: "detail", strength_model: 0.6, strength_clip: 0.6 } },
    }),
  },
  {
    contract: localAiContract,
    presets: { extra: { n: 1 } },
    received: (steps) => ({ prompt: "a lighthouse in a storm", seed: 7, step: steps }),
  },
  {
    contract: bentoMlContract,
    presets: { guidance: 1 },
    // BentoDiffusion takes no seed.
    received: (steps) => ({
      prompt: "a lighthouse in a storm",
      num_inference_steps: steps,
      guidance_scale: 1,
    }),
  },
  ...openAiCompatibleContracts.filter(isSynchronous).map((contract) => ({
    contract,
    presets: {
      guidance: 1,
      extra: { true_cfg_scale: 4 },
      ...(hasLora(contract) ? { loras } : {}),
    },
    received: (steps: number) => ({
      ...(hasLora(contract)
        ? { lora: { name: "detail", path: "/models/loras/detail", scale: 0.6 } }
        : {}),
      prompt: "a lighthouse in a storm",
      seed: 7,
      num_inference_steps: steps,
      guidance_scale: 1,
      true_cfg_scale: 4,
    }),
  })),
];

function bodyOf(call: ProtocolCall | undefined): Body {
  return JSON.parse(String(call?.body)) as Body;
}

describe.each(engines)("$contract.name", ({ contract, presets, received, read }) => {
  let server: ProtocolServer;
  const create = () =>
    contract.create({ url: server.url, apiKey: contract.apiKey ?? "", limits: {} });

  beforeAll(async () => {
    server = await contract.start();
  });
  afterAll(() => server.close());

  it.each([4, 20])("receives the same prompt and seed with %i steps as asked", async (steps) => {
    const from = server.calls.length;
    const parameters = { ...presets, steps };
    const outcome = await callAdapter(create(), { ...contract.request, parameters });
    expect(outcome.kind).toBe("image");
    const body = bodyOf(server.calls.slice(from).find(({ method }) => method === "POST"));
    expect(read === undefined ? body : read(body)).toMatchObject(received(steps));
  });
});

it("sends the options of an edit in the form", async () => {
  const contract = openAiCompatibleContracts.find(isSynchronous)!;
  const server = await contract.start();
  try {
    const provider = contract.create({
      url: server.url,
      apiKey: contract.apiKey ?? "",
      limits: {},
    });
    const references = await makeReferences("Mara");
    const parameters = { steps: 4, loras, extra: { true_cfg_scale: 4 } };
    const outcome = await callAdapter(provider, { ...contract.request, references, parameters });
    expect(outcome.kind).toBe("image");
    expect(server.calls[0]?.body.toString("latin1")).toMatch(/num_inference_steps"\s+4\s/);
    expect(server.calls[0]?.body.toString("latin1")).toMatch(
      /name="lora"\s+\{"name":"detail","path":"\/models\/loras\/detail","scale":0.6\}/,
    );
  } finally {
    await server.close();
  }
});

it("LocalAI, whose guidance is in a model's own file, is sent none", async () => {
  const server = await localAiContract.start();
  try {
    const apiKey = localAiContract.apiKey ?? "";
    const provider = localAiContract.create({ url: server.url, apiKey, limits: {} });
    expect(await callAdapter(provider, { parameters: { guidance: 1 } })).toMatchObject({
      kind: "invalid-request",
      message: "openai-compatible does not support parameters.guidance",
    });
    expect(server.calls).toEqual([]);
  } finally {
    await server.close();
  }
});

it("a workflow without a slot refuses the option before anything is sent", async () => {
  const server = await comfyUiContract.start();
  try {
    const provider = comfyUiContract.create({ url: server.url, apiKey: "", limits: {} });
    expect(await callAdapter(provider, { parameters: { steps: 4 } })).toMatchObject({
      kind: "invalid-request",
      message: "comfyui does not support parameters.steps",
    });
    expect(server.calls).toEqual([]);
  } finally {
    await server.close();
  }
});

it("a workflow keeps its own options and ignores the LoRA when none is asked for", async () => {
  const server = await comfyUi.start();
  try {
    const provider = comfyUi.create({ url: server.url, apiKey: "", limits: {} });
    expect((await callAdapter(provider)).kind).toBe("image");
    const order = bodyOf(server.calls.find(({ path }) => path === "/prompt"));
    expect(order["prompt"]).toMatchObject({
      "3": { inputs: { steps: 28, cfg: 4, sampler_name: "euler", scheduler: "normal" } },
      "12": { inputs: { lora_name: "none.safetensors", strength_model: 0, strength_clip: 0 } },
    });
  } finally {
    await server.close();
  }
});
