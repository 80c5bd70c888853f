import type { GenerationPlan } from "@atelier/schemas";
import { expect, it } from "vitest";
import { noteEngineCommands } from "./note-engine-commands.ts";

it("records ten engine commands of a prompt that has thousands", () => {
  const prompt = Array.from({ length: 5_000 }, (_, index) => `<lora:${index}:1>`).join("");
  const plan = { renders: [{ spec: { prompt, texts: [] } }] } as unknown as GenerationPlan;
  const [render] = noteEngineCommands(plan).renders;
  expect(render?.spec.engineCommands).toHaveLength(10);
  expect(render?.spec.engineCommands?.[0]).toBe("<lora:0:1>");
});
