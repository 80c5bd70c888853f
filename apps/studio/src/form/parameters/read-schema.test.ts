import { expect, it } from "vitest";
import { changeParameter, fitParameters, readFields } from "./read-schema.ts";

const lora = {
  type: "object",
  properties: {
    name: { type: "string", enum: ["ink", "detail"] },
    weight: { type: "number", minimum: 0, maximum: 1 },
  },
};
const schema = {
  type: "object",
  properties: {
    steps: { type: "integer", minimum: 4, maximum: 20, default: 8 },
    guidance: { type: "number", minimum: 1, maximum: 10 },
    sampler: { type: "string", enum: ["Euler", "DPM++ 2M"], default: "Euler" },
    loras: { type: "array", maxItems: 3, items: lora },
    // Nothing that a form of today can show.
    seeds: { type: "array", items: { type: "integer" } },
    note: { type: "string" },
  },
};

it("reads numbers, choices and lists of a schema, and leaves out what it cannot show", () => {
  expect(readFields(schema)).toEqual([
    { kind: "number", name: "steps", min: 4, max: 20, step: 1, preset: 8 },
    { kind: "number", name: "guidance", min: 1, max: 10, step: 0.1, preset: null },
    { kind: "choice", name: "sampler", options: ["Euler", "DPM++ 2M"], preset: "Euler" },
    {
      kind: "list",
      name: "loras",
      // Each can be used once.
      most: 2,
      choice: { kind: "choice", name: "name", options: ["ink", "detail"], preset: null },
      numbers: [{ kind: "number", name: "weight", min: 0, max: 1, step: 0.05, preset: null }],
    },
  ]);
  expect(readFields(null)).toEqual([]);
});

it.each([
  [
    { steps: 4, sampler: "Euler" },
    { steps: 4, sampler: "Euler" },
  ],
  [{ steps: 21, guidance: 1.5 }, { guidance: 1.5 }],
  [{ sampler: "LCM", other: 1 }, {}],
  [{ loras: [{ name: "ink", weight: 0.5 }] }, { loras: [{ name: "ink", weight: 0.5 }] }],
  [{ loras: [{ name: "ink", weight: 2 }] }, {}],
  [{ loras: [{ name: "other", weight: 1 }] }, {}],
])("keeps of %j what the model allows", (values, kept) => {
  expect(fitParameters(values, schema)).toEqual(kept);
  expect(fitParameters(values, null)).toEqual({});
});

it("leaves a value to the model when it is undefined, or an empty list", () => {
  expect(changeParameter({ steps: 4 }, "sampler", "Euler")).toEqual({ steps: 4, sampler: "Euler" });
  expect(changeParameter({ steps: 4, sampler: "Euler" }, "steps", undefined)).toEqual({
    sampler: "Euler",
  });
  expect(changeParameter({ loras: [{ name: "ink" }] }, "loras", [])).toEqual({});
});
