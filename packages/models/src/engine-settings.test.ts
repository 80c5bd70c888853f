import { describe, expect, it } from "vitest";
import {
  checkParameters,
  describeParameters,
  engineBounds,
  engineDefaults,
  mergeParameters,
} from "./engine-settings.ts";

const bounds = engineBounds.parse({
  steps: { min: 4, max: 20 },
  sampler: ["Euler", "DPM++ 2M"],
  loras: { names: ["detail", "ink"], max: 2 },
});
const detail = { name: "detail", weight: 0.5 };

describe("parameters of a request", () => {
  it.each([
    [{}],
    [{ steps: 4 }],
    [{ steps: 20, sampler: "DPM++ 2M" }],
    [{ loras: [detail, { name: "ink", weight: 1 }] }],
  ])("within the bounds of the model are allowed: %j", (parameters) => {
    expect(checkParameters(bounds, parameters, "m")).toEqual([]);
  });

  it.each([
    [{ steps: 3 }, "steps", "steps must be 4 to 20."],
    [{ steps: 21 }, "steps", "steps must be 4 to 20."],
    [{ sampler: "euler" }, "sampler", "sampler must be one of Euler, DPM++ 2M."],
    [
      { guidance: 1 },
      "guidance",
      "m does not let requests set guidance. It allows steps, sampler, loras.",
    ],
    [
      { loras: [{ name: "other", weight: 1 }] },
      "loras",
      '"other" is not a LoRA of this model. Use detail, ink.',
    ],
    [{ loras: [{ name: "detail", weight: 1.5 }] }, "loras", "The weight of a LoRA must be 0 to 1."],
    [{ loras: [detail, detail] }, "loras", "loras must not name a LoRA twice."],
    [{ loras: [detail, detail, detail] }, "loras", "loras must have at most 2."],
  ])("out of the bounds are named: %j", (parameters, parameter, message) => {
    expect(checkParameters(bounds, parameters, "m")).toMatchObject([{ parameter, message }]);
  });

  it("replace the presets, and LoRAs are added to them", () => {
    const defaults = engineDefaults.parse({
      steps: 20,
      guidance: 1,
      loras: [{ name: "house", weight: 1 }, detail],
      extra: { hires: false },
    });
    const wanted = { steps: 4, loras: [{ name: "detail", weight: 0.9 }] };
    expect(mergeParameters(defaults, wanted)).toEqual({
      steps: 4,
      guidance: 1,
      loras: [
        { name: "house", weight: 1 },
        { name: "detail", weight: 0.9 },
      ],
      extra: { hires: false },
    });
  });
});

describe("the JSON schema of the parameters", () => {
  it("has the bounds and the presets", () => {
    expect(describeParameters(bounds, { steps: 8 })).toMatchObject({
      properties: {
        steps: { type: "integer", minimum: 4, maximum: 20, default: 8 },
        sampler: { type: "string", enum: ["Euler", "DPM++ 2M"] },
        loras: { maxItems: 2, items: { properties: { name: { enum: ["detail", "ink"] } } } },
      },
      additionalProperties: false,
    });
  });

  it("is null for a model without any", () => {
    expect(describeParameters({}, { steps: 8 })).toBeNull();
  });
});

it.each([
  { steps: { min: 5, max: 4 } },
  { sampler: [] },
  { loras: { names: ["a:1> <lora:b"] } },
  { temperature: { min: 0, max: 1 } },
])("an operator's invalid bounds are refused: %j", (invalid) => {
  expect(engineBounds.safeParse(invalid).success).toBe(false);
});
