import { describe, expect, it } from "vitest";
import { parameter, type EngineFlags } from "./leaf.ts";

describe("--parameter", () => {
  it("collects options of the engine", () => {
    const given = ["steps=8", "guidance=1.5", "sampler=DPM++ 2M", "lora=ink:0.5", "lora=a:b:-1"];
    expect(given.reduce<EngineFlags>((before, text) => parameter(text, before), {})).toEqual({
      steps: 8,
      guidance: 1.5,
      sampler: "DPM++ 2M",
      loras: [
        { name: "ink", weight: 0.5 },
        { name: "a:b", weight: -1 },
      ],
    });
  });

  it.each(["steps", "steps=", "steps=many", "lora=ink", "cfg=1"])("refuses %s", (text) => {
    expect(() => parameter(text)).toThrow("It must be steps=8");
  });
});
