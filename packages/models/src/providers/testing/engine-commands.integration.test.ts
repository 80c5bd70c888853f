import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { automatic1111Contract } from "../automatic1111/contract.ts";
import { comfyUiContract } from "../comfyui/contract.ts";
import { openAiCompatibleContracts } from "../openai-compatible/contract.ts";
import { sdcppContract } from "../sdcpp/contract.ts";
import { callAdapter, makeReferences } from "./call-adapter.ts";
import type { ProtocolServer } from "./protocol-server.ts";

const commands =
  '<lora:detail:3> <hypernet:x:1> <sd_cpp_extra_args>{"steps": 150}</sd_cpp_extra_args>';

// Self-hosted engines read commands from prompts; vendors do not.
describe.each([
  automatic1111Contract,
  comfyUiContract,
  sdcppContract,
  ...openAiCompatibleContracts,
])("$name", (contract) => {
  let server: ProtocolServer;
  beforeAll(async () => {
    server = await contract.start();
  });
  afterAll(() => server.close());

  const negative = contract.supports.negativePrompt === undefined ? [] : ["negativePrompt"];

  it.each(["prompt", "description", ...negative])(
    "receives no engine commands of a %s",
    async (field) => {
      const provider = contract.create({
        url: server.url,
        apiKey: contract.apiKey ?? "",
        limits: {},
      });
      const text = `a hut ${commands}`;
      const [reference] = await makeReferences("Mara");
      const outcome = await callAdapter(provider, {
        ...contract.request,
        ...(field === "description"
          ? { references: [{ ...reference!, description: text }] }
          : { [field]: text }),
      });
      expect(outcome.kind).toBe("image");
      const sent = server.calls.map(({ body }) => body.toString("latin1")).join("\n");
      if (field !== "description" || contract !== automatic1111Contract) {
        expect(sent).toContain("(lora:detail:3)");
      }
      expect(sent).not.toMatch(/<(lora|hypernet|\/?sd_cpp_extra_args)/);
    },
  );
});
