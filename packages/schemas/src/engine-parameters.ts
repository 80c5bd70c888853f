import * as z from "zod";
import { optional, text } from "./fields.ts";

const lora = z.strictObject({ name: text.max(200), weight: z.number().min(-100).max(100) }).meta({
  id: "Lora",
  description: "A LoRA of the operator's engine, and how strongly it applies.",
});

/** Options of an engine that a request may set; each model has bounds of its own. */
export const engineParameters = z
  .strictObject({
    steps: optional(z.int().min(1).max(10_000)).meta({ description: "Sampling steps." }),
    guidance: optional(z.number().min(0).max(1_000)).meta({
      description: "CFG scale: how closely the image follows the prompt.",
    }),
    sampler: optional(text.max(100)).meta({ description: "Name of a sampler." }),
    scheduler: optional(text.max(100)).meta({ description: "Name of a scheduler." }),
    loras: optional(z.array(lora).max(8)).meta({
      description: "LoRAs besides those of the model.",
    }),
  })
  .meta({ id: "EngineParameters" });
export type EngineParameters = z.infer<typeof engineParameters>;

export type EngineParameter = keyof EngineParameters;

export const engineParameterNames = engineParameters.keyof().options;

/** The field of a request. */
export const parameters = optional(engineParameters).meta({
  description:
    "Engine options that the model's `parameters` allow. These are a JSON schema; what it does not allow is 422 `model_not_capable`.",
  examples: [{ steps: 8, guidance: 1 }],
});
