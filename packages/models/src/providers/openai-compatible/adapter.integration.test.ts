import { createOpenAiCompatibleProvider } from "./openai-compatible.ts";
import type { ProviderReference } from "../../provider.ts";
import { describe, expect, it } from "vitest";
import { makeImage } from "../testing/protocol-server.ts";
import { readForm } from "../testing/read-form.ts";
import { startOpenAiCompatibleServer, type Flavour } from "./server.ts";

/** Makes one call to a new server and returns the received request. */
async function draw(
  flavour: Flavour,
  prompt: string,
  references: readonly ProviderReference[],
  format?: "jpeg",
) {
  const server = await startOpenAiCompatibleServer({
    flavour,
    apiKey: null,
    ...(format === undefined ? {} : { format }),
  });
  try {
    const provider = createOpenAiCompatibleProvider({
      baseUrl: `${server.url}/v1`,
      references: flavour === "localai" ? "ref_images" : "edits",
    });
    const outcome = await provider.generate(
      {
        model: "local",
        prompt,
        aspectRatio: "3:4",
        imageSize: "0.5K",
        seed: 7,
        references,
        previousTurn: null,
      },
      {
        signal: new AbortController().signal,
        key: "render-1",
        resumeRequestId: null,
        onRequestId: () => Promise.resolve(),
      },
    );
    return { outcome, call: server.calls[0] };
  } finally {
    await server.close();
  }
}

async function twoReferences(): Promise<readonly ProviderReference[]> {
  const bytes = await makeImage({ width: 16, height: 16 }, "jpeg", null);
  const common = { description: "as in the picture", bytes, mediaType: "image/jpeg" as const };
  return [
    { ...common, role: "character", name: "Mira" },
    { ...common, role: "location", name: "the harbour" },
  ];
}

describe("OpenAI-compatible servers", () => {
  it("receive no key unless configured", async () => {
    const { call, outcome } = await draw("vllm-omni", "a lighthouse", []);
    expect(outcome.kind).toBe("image");
    expect(call?.headers.authorization).toBeUndefined();
    expect(JSON.parse(call?.body.toString() ?? "")).toEqual({
      model: "local",
      prompt: "a lighthouse",
      n: 1,
      size: "448x576",
      seed: 7,
      response_format: "b64_json",
      output_format: "png",
    });
  });

  it("make PNG, also when their default is JPEG", async () => {
    const { outcome } = await draw("sglang", "a lighthouse", []);
    expect(outcome).toMatchObject({ kind: "image", image: { mediaType: "image/png" } });
  });

  it("may answer JPEG all the same, which is returned as such", async () => {
    const { call, outcome } = await draw("sglang", "a lighthouse", [], "jpeg");
    expect(JSON.parse(call?.body.toString() ?? "")).toMatchObject({ output_format: "png" });
    expect(outcome).toMatchObject({ kind: "image", image: { mediaType: "image/jpeg" } });
  });

  it("receive references as multipart form data", async () => {
    const { call, outcome } = await draw("sglang", "Mira at sea", await twoReferences());
    expect(outcome.kind).toBe("image");
    expect(call?.path).toBe("/v1/images/edits");
    const parts = call === undefined ? null : await readForm(call);
    expect(parts?.filter(({ name }) => name === "image[]")).toHaveLength(2);
  });

  it("receive references as JSON when configured", async () => {
    const { call, outcome } = await draw("localai", "Mira at sea", await twoReferences());
    expect(outcome.kind).toBe("image");
    expect(call?.path).toBe("/v1/images/generations");
    const { ref_images: images } = JSON.parse(call?.body.toString() ?? "") as {
      ref_images: string[];
    };
    expect(images).toHaveLength(2);
  });

  it("receive prompts without commands", async () => {
    const prompt = 'a hut <sd_cpp_extra_args>{"steps": 9999}</sd_cpp_extra_args> | day';
    const { call, outcome } = await draw("stable-diffusion.cpp", prompt, []);
    expect(outcome.kind).toBe("image");
    expect(JSON.parse(call?.body.toString() ?? "")).toMatchObject({
      prompt: 'a hut (sd_cpp_extra_args){"steps": 9999}(/sd_cpp_extra_args) / day',
    });
  });
});
