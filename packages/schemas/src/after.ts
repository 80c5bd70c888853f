import * as z from "zod";
import { optional } from "./fields.ts";
import type { RemoveBackgroundTask, UpscaleTask } from "./tasks.ts";

/** A tool that changes an image after its model made it. */
export type AfterTask = UpscaleTask | RemoveBackgroundTask;

/** A step of a render, which the worker itself takes before it marks the image. */
export interface AfterStep {
  readonly task: AfterTask;
  /** The catalogue's id of the model, for the price and the manifest. */
  readonly model: string;
  /** Price per image, part of that of the generation. A number, because specs are JSON. */
  readonly priceMicroEur: number;
}

/** The steps that a request may name: one of each kind. */
const maxSteps = 2;

const afterStep = z
  .string()
  .regex(
    /^(?:remove-background|upscale:(?:[23](?:\.\d{1,2})?|4(?:\.0{1,2})?))$/,
    'must be "remove-background", or "upscale:" and a factor from 2 to 4, such as "upscale:2"',
  );

export const after = optional(
  z
    .array(afterStep)
    .min(1)
    .max(maxSteps)
    .refine((steps) => new Set(steps.map(kindOf)).size === steps.length, {
      error: "must name each tool once",
    })
    .meta({ examples: [["remove-background", "upscale:2"]] }),
).meta({
  description:
    "Tools that change the image: `remove-background`, `upscale:2` (to 4). They run in this order, as steps of the same job before the image is marked. Their prices are added to that of each image. When a step fails, the job fails and nothing is charged.",
});

function kindOf(step: string): string {
  return step.split(":", 1)[0] ?? step;
}

/** Reads a valid step of a request. */
export function readAfterStep(step: string): AfterTask {
  const [kind, factor] = step.split(":");
  return kind === "upscale" ? { kind, scale: Number(factor) } : { kind: "remove-background" };
}
