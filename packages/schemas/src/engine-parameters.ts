import * as z from "zod";
import { optional, text } from "./fields.ts";

const lora = z.strictObject({ name: text.max(200), weight: z.number().min(-100).max(100) }).meta({
  id: "Lora",
  description: "A LoRA of the operator's engine, and how strongly it applies.",
});

/** Options of an engine that a request may set; each model has bounds of its own. */
const engineParameters = z
  .strictObject({
    steps: optional(z.int().min(1).max(10_000)).meta({ description: "Sampling steps." }),
    guidance: optional(z.number().min(0).max(1_000)).meta({
      description: "How closely the image follows the prompt (CFG scale).",
    }),
    sampler: optional(text.max(100)).meta({ description: "The name of a sampler." }),
    scheduler: optional(text.max(100)).meta({ description: "The name of a scheduler." }),
    loras: optional(z.array(lora).max(8)).meta({
      description: "LoRAs to apply besides those of the model's entry.",
    }),
  })
  .meta({ id: "EngineParameters" });
export type EngineParameters = z.infer<typeof engineParameters>;

export type EngineParameter = keyof EngineParameters;

export const engineParameterNames = engineParameters.keyof().options;

/** The field of a request. */
export const parameters = optional(engineParameters).meta({
  description:
    "Options of the engine, within the bounds that the model's `parameters` state as a JSON schema. What it does not allow is 422 `model_not_capable`.",
  examples: [{ steps: 8, guidance: 1 }],
});
