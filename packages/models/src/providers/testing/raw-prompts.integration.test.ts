import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blackForestLabsContract } from "../black-forest-labs/contract.ts";
import { callAdapter, makeReferences } from "./call-adapter.ts";
import { comfyUiContract } from "../comfyui/contract.ts";
import { falContract } from "../fal/contract.ts";
import { geminiContract } from "../gemini/contract.ts";
import { openAiContract } from "../openai/contract.ts";
import { openAiCompatibleContracts } from "../openai-compatible/contract.ts";
import type { ProtocolServer } from "./protocol-server.ts";
import { replicateContract } from "../replicate/contract.ts";
import { sdcppContract } from "../sdcpp/contract.ts";

const prompt = "Mara walks along the pier";
const description = "how Mara looks";

describe.each([
  blackForestLabsContract,
  comfyUiContract,
  falContract,
  geminiContract,
  openAiContract,
  ...openAiCompatibleContracts,
  replicateContract,
  sdcppContract,
])("$name", (contract) => {
  let server: ProtocolServer;

  beforeAll(async () => {
    server = await contract.start();
  });
  afterAll(() => server.close());

  /** Everything that the provider received for one image with a reference. */
  async function sentFor(rawPrompt: boolean): Promise<string> {
    const from = server.calls.length;
    const { apiKey } = contract;
    const provider = contract.create({ url: server.url, apiKey: apiKey ?? "", limits: {} });
    const references = await makeReferences("Mara");
    const outcome = await callAdapter(provider, {
      ...contract.request,
      prompt,
      references,
      rawPrompt,
    });
    expect(outcome.kind).toBe("image");
    const calls = server.calls.slice(from);
    return calls.map(({ body }) => body.toString("latin1")).join("\n");
  }

  it("sends a raw prompt with references and adds no text to it", async () => {
    const sent = await sentFor(true);
    expect(sent).toContain(prompt);
    expect(sent).not.toContain(description);
  });

  it("describes references unless the prompt is raw", async () => {
    expect(await sentFor(false)).toContain(description);
  });
});
