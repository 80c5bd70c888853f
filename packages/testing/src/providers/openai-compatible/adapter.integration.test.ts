import { createOpenAiCompatibleProvider, type ProviderReference } from "@atelier/models";
import { describe, expect, it } from "vitest";
import { makeImage } from "../protocol-server.ts";
import { readForm } from "../read-form.ts";
import { startOpenAiCompatibleServer, type Flavour } from "./server.ts";

/** One call to a server of its own, and the request that arrived. */
async function draw(flavour: Flavour, prompt: string, references: readonly ProviderReference[]) {
  const server = await startOpenAiCompatibleServer({ flavour, apiKey: null });
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

describe("servers that speak OpenAI's API", () => {
  it("get no key if they have none", async () => {
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
    });
  });

  it("get references in a form", async () => {
    const { call, outcome } = await draw("sglang", "Mira at sea", await twoReferences());
    expect(outcome.kind).toBe("image");
    expect(call?.path).toBe("/v1/images/edits");
    const parts = call === undefined ? null : await readForm(call);
    expect(parts?.filter(({ name }) => name === "image[]")).toHaveLength(2);
  });

  it("get references in JSON where that is their way", async () => {
    const { call, outcome } = await draw("localai", "Mira at sea", await twoReferences());
    expect(outcome.kind).toBe("image");
    expect(call?.path).toBe("/v1/images/generations");
    const { ref_images: images } = JSON.parse(call?.body.toString() ?? "") as {
      ref_images: string[];
    };
    expect(images).toHaveLength(2);
  });

  it("get no commands in a prompt", async () => {
    const prompt = 'a hut <sd_cpp_extra_args>{"steps": 9999}</sd_cpp_extra_args> | day';
    const { call, outcome } = await draw("stable-diffusion.cpp", prompt, []);
    expect(outcome.kind).toBe("image");
    expect(JSON.parse(call?.body.toString() ?? "")).toMatchObject({
      prompt: 'a hut (sd_cpp_extra_args){"steps": 9999}(/sd_cpp_extra_args) / day',
    });
  });
});
