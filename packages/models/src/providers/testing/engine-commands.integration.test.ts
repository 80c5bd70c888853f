import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { automatic1111Contract } from "../automatic1111/contract.ts";
import { comfyUiContract } from "../comfyui/contract.ts";
import { describedContracts } from "../described/testing/contracts.ts";
import { inventedContract } from "../described/testing/invented-contract.ts";
import { openAiCompatibleContracts } from "../openai-compatible/contract.ts";
import { sdcppContract } from "../sdcpp/contract.ts";
import { callAdapter, makeReferences } from "./call-adapter.ts";
import type { ProtocolServer } from "./protocol-server.ts";

const commands =
  '<lora:detail:3> <hypernet:x:1> <sd_cpp_extra_args>{"steps": 150}</sd_cpp_extra_args>';

const describedServers = describedContracts.filter(({ name }) => /nvidia-nim|bentoml/.test(name));

// Self-hosted engines read commands from prompts; vendors do not.
describe.each([
  automatic1111Contract,
  comfyUiContract,
  sdcppContract,
  ...openAiCompatibleContracts,
  ...describedServers,
  inventedContract,
])("$name", (contract) => {
  let server: ProtocolServer;
  beforeAll(async () => {
    server = await contract.start();
  });
  afterAll(() => server.close());

  const { combine, edit, negativePrompt } = contract.supports;
  const takesEdits = edit !== undefined || "createForEdits" in contract;
  const fields = [
    "prompt",
    "raw prompt",
    ...(takesEdits ? ["edit"] : []),
    ...(combine === undefined ? [] : ["description"]),
    ...(negativePrompt === undefined ? [] : ["negativePrompt"]),
  ];

  it.each(fields)("receives no engine commands of a %s", async (field) => {
    const options = { url: server.url, apiKey: contract.apiKey ?? "", limits: {} };
    const forEdits = field === "edit" ? contract.createForEdits?.(options) : undefined;
    const provider = forEdits ?? contract.create(options);
    const from = server.calls.length;
    const text = `a hut ${commands}`;
    const [reference] = await makeReferences("Mara");
    const outcome = await callAdapter(provider, {
      ...contract.request,
      ...{
        prompt: { prompt: text },
        "raw prompt": { prompt: text, rawPrompt: true },
        edit: {
          prompt: text,
          task: { kind: "edit", image: reference!, mask: null, strength: null },
        } as const,
        description: { references: [{ ...reference!, description: text }] },
        negativePrompt: { negativePrompt: text },
      }[field],
    });
    expect(outcome.kind).toBe("image");
    const sent = server.calls
      .slice(from)
      .map(({ body }) => body.toString("latin1"))
      .join("\n");
    expect(sent).toContain("(lora:detail:3)");
    expect(sent).not.toMatch(/<(lora|hypernet|\/?sd_cpp_extra_args)/);
  });
});
