import { expect, test } from "vitest";
import { assertSlots } from "./assert-slots.ts";

const workflow = { parameters: ["steps", "loras"], loras: 1 } as const;
const lora = { name: "detail", weight: 1 };
const bounds = { names: ["detail", "pixel"], weight: { min: 0, max: 1 }, max: 1 };

test("accepts models whose options have slots", () => {
  const models = [
    { id: "plain", defaults: {}, client_may_set: {} },
    { id: "tuned", defaults: { steps: 8 }, client_may_set: { steps: { min: 4, max: 8 } } },
    { id: "styled", defaults: {}, client_may_set: { loras: bounds } },
  ];
  expect(() => assertSlots(workflow, models, "flux.json")).not.toThrow();
});

test.each([
  [{ guidance: 3 }, {}, "it has no slot @guidance"],
  [{}, { sampler: ["euler"] }, "it has no slot @sampler"],
  [{ loras: [lora] }, { loras: bounds }, "up to 2 LoRAs, and it has 1 slots"],
])("refuses the presets %o with the parameters %o", (defaults, client_may_set, problem) => {
  const model = { id: "flux", defaults, client_may_set };
  expect(() => assertSlots(workflow, [model], "flux.json")).toThrow(problem);
});
