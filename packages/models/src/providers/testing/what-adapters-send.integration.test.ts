import type { Provider } from "../../provider.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { automatic1111Contract } from "../automatic1111/contract.ts";
import { blackForestLabsContract } from "../black-forest-labs/contract.ts";
import { callAdapter, makeReferences, sizeOf } from "./call-adapter.ts";
import { comfyUiContract } from "../comfyui/contract.ts";
import type { ProviderContract } from "./contract/provider-contract.ts";
import { falContract } from "../fal/contract.ts";
import type { ProtocolServer } from "./protocol-server.ts";
import { replicateContract } from "../replicate/contract.ts";
import { sdcppContract } from "../sdcpp/contract.ts";

// The servers reject unknown fields; these tests check that no required field is missing.

describe.each([
  {
    contract: blackForestLabsContract,
    model: "flux-2-max",
    path: "/v1/flux-2-max",
    says: { width: 1360, height: 768, seed: 7, output_format: "png" },
    images: ["input_image", "input_image_2"],
  },
  {
    contract: blackForestLabsContract,
    model: "flux-3-image",
    path: "/v1/flux-3-image",
    says: { aspect_ratio: "16:9", resolution: "1k", grounding: false },
    images: ["images"],
  },
  {
    contract: falContract,
    model: "fal-ai/flux-2-pro",
    path: "/fal-ai/flux-2-pro/edit",
    says: { image_size: { width: 1360, height: 768 }, seed: 7, output_format: "png" },
    images: ["image_urls"],
  },
  {
    contract: falContract,
    model: "blackforestlabs/flux-3/text-to-image",
    path: "/blackforestlabs/flux-3/edit-image",
    says: { aspect_ratio: "16:9", resolution: "1k" },
    images: ["image_urls"],
  },
  {
    contract: sdcppContract,
    model: "local",
    path: "/sdcpp/v1/img_gen",
    says: { width: 1344, height: 768, seed: 7, batch_count: 1, output_format: "png" },
    images: ["ref_images"],
  },
])("$model of $contract.name", ({ contract, images, model, path, says }) => {
  const { provider, server } = useServer(contract);

  test("receives size, seed and labelled references in its own format", async () => {
    const references = await makeReferences("Mara", "Jon");
    const outcome = await callAdapter(provider(), { model, aspectRatio: "16:9", references });

    expect(outcome.kind).toBe("image");
    const [order] = server().calls;
    expect(order?.path).toBe(path);
    const body = JSON.parse(String(order?.body)) as Record<string, unknown>;
    expect(body).toMatchObject(says);
    expect(body["prompt"]).toMatch(/Image 1 .*"Mara".*\nImage 2 .*"Jon".*\n\na lighthouse/);
    const sent = images.flatMap((field) => body[field]).map((image) => String(image));
    expect(sent.map((image) => image.replace(/^data:image\/png;base64,/, ""))).toEqual(
      references.map(({ bytes }) => Buffer.from(bytes).toString("base64")),
    );
  });
});

describe("fal", () => {
  const { provider, server } = useServer(falContract);

  test("FLUX.3 without images receives a ratio and a resolution, and no seed", async () => {
    const model = "blackforestlabs/flux-3/text-to-image";
    const outcome = await callAdapter(provider(), { model, aspectRatio: "9:21", imageSize: "2K" });
    expect(outcome.kind).toBe("image");
    expect(server().calls[0]?.path).toBe(`/${model}`);
    expect(JSON.parse(String(server().calls[0]?.body))).toEqual({
      prompt: "a lighthouse in a storm",
      aspect_ratio: "9:21",
      resolution: "2k",
    });
  });
});

describe("Replicate", () => {
  const { provider, server } = useServer(replicateContract);

  test("FLUX.2 receives aspect ratio, megapixels and references as data URLs", async () => {
    const outcome = await callAdapter(provider(), {
      model: "black-forest-labs/flux-2-pro",
      aspectRatio: "21:9",
      imageSize: "2K",
      references: await makeReferences("Mara"),
    });

    expect(await sizeOf(outcome)).toEqual({ width: 2048, height: 880 });
    const { input } = JSON.parse(String(server().calls[0]?.body)) as { input: object };
    expect(input).toMatchObject({
      aspect_ratio: "21:9",
      resolution: "4 MP",
      seed: 7,
      input_images: [expect.stringMatching(/^data:image\/png;base64,/)],
    });
  });

  test("a model version uses its own endpoint", async () => {
    const version = "00b07c32e314ceb5152c1d08e73400e6a61d7d22ba60a405fc76314fc807910c";
    const from = server().calls.length;
    const model = `black-forest-labs/flux-2-pro:${version}`;

    expect((await callAdapter(provider(), { model })).kind).toBe("image");
    expect(server().calls[from]?.path).toBe("/v1/predictions");
    expect(JSON.parse(String(server().calls[from]?.body))).toMatchObject({ version });
  });

  test("rejects references for a model without references", async () => {
    const references = await makeReferences("Mara");
    const outcome = await callAdapter(provider(), { model: "owner/other", references });
    expect(outcome.kind).toBe("invalid-request");
  });
});

describe("ComfyUI", () => {
  const { provider, server } = useServer(comfyUiContract);

  test("uploads references under the hash of their bytes and names them in the graph", async () => {
    const references = await makeReferences("Mara", "Jon");
    const outcome = await callAdapter(provider(), { aspectRatio: "16:9", references });

    expect(await sizeOf(outcome)).toEqual({ width: 1344, height: 768 });
    expect(server().calls.filter(({ path }) => path === "/upload/image")).toHaveLength(2);
    const graph = orderedGraph();
    expect(graph["10"]?.inputs["image"]).toMatch(/^atelier\/[0-9a-f]{64}\.png$/);
    expect(graph["11"]?.inputs["image"]).not.toBe(graph["10"]?.inputs["image"]);
    expect(graph["6"]?.inputs["prompt"]).toMatch(/Image 2 .*"Jon"/);
    expect(graph["3"]?.inputs["seed"]).toBe(7);
  });

  test("records a job's id before submission and uses the call's key as client id", async () => {
    const from = server().calls.length;
    const ids: string[] = [];
    await callAdapter(
      provider(),
      {},
      {
        key: "render-1",
        async onRequestId(id) {
          ids.push(id);
          expect(server().calls).toHaveLength(from);
        },
      },
    );

    const body = JSON.parse(String(server().calls[from]?.body)) as object;
    expect(body).toMatchObject({ prompt_id: ids[0], client_id: "render-1" });
    expect(orderedGraph()).not.toHaveProperty("10");
  });

  test("resubmits a resumed call whose job never arrived with the same id", async () => {
    const resumeRequestId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    expect((await callAdapter(provider(), {}, { resumeRequestId })).kind).toBe("image");
    expect(
      server()
        .calls.findLast(({ path }) => path === "/prompt")
        ?.body.toString(),
    ).toContain(resumeRequestId);
  });

  test("rejects more references than the workflow has slots", async () => {
    const references = await makeReferences("Mara", "Jon", "Ada");
    const outcome = await callAdapter(provider(), { references });
    expect(outcome.kind).toBe("invalid-request");
  });

  function orderedGraph(): Record<string, { inputs: Record<string, unknown> }> {
    const order = server().calls.findLast(({ path }) => path === "/prompt");
    const { prompt } = JSON.parse(String(order?.body)) as {
      prompt: Record<string, { inputs: Record<string, unknown> }>;
    };
    return prompt;
  }
});

describe("AUTOMATIC1111", () => {
  const { provider, server } = useServer(automatic1111Contract);

  test("sends the model as checkpoint and one reference as init image", async () => {
    const model = "sd_xl_base_1.0.safetensors";
    const references = await makeReferences("Mara");
    const outcome = await callAdapter(provider(), { model, aspectRatio: "2:3", references });

    expect(await sizeOf(outcome)).toEqual({ width: 832, height: 1280 });
    const [order] = server().calls;
    expect(order?.path).toBe("/sdapi/v1/img2img");
    expect(JSON.parse(String(order?.body))).toMatchObject({
      width: 832,
      height: 1280,
      seed: 7,
      override_settings: { sd_model_checkpoint: model },
      init_images: references.map(({ bytes }) => Buffer.from(bytes).toString("base64")),
    });
  });

  test("rejects more than one reference", async () => {
    const references = await makeReferences("Mara", "Jon");
    expect((await callAdapter(provider(), { references })).kind).toBe("invalid-request");
  });
});

test.each([
  ["a size", { imageSize: "16K" }],
  ["an aspect ratio", { aspectRatio: "round" }],
])("rejects an unsupported %s without calling the vendor", async (_what, request) => {
  for (const contract of [blackForestLabsContract, falContract, replicateContract, sdcppContract]) {
    const provider = contract.create({
      url: "http://127.0.0.1:1",
      apiKey: contract.apiKey ?? "",
      limits: {},
    });
    const outcome = await callAdapter(provider, { ...contract.request, ...request });
    expect(outcome.kind).toBe("invalid-request");
  }
});

function useServer(contract: ProviderContract): {
  provider: () => Provider;
  server: () => ProtocolServer;
} {
  let server: ProtocolServer;
  beforeAll(async () => {
    server = await contract.start();
  });
  afterAll(() => server.close());
  return {
    server: () => server,
    provider: () => contract.create({ url: server.url, apiKey: contract.apiKey ?? "", limits: {} }),
  };
}
