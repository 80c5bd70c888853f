import * as z from "zod";
import type { EngineParameter } from "./engine-parameters.ts";
import { combine } from "./operations/combine.ts";
import type { ImageChange, OperationDefinition } from "./operations/definition.ts";
import { diagram } from "./operations/diagram.ts";
import { edit } from "./operations/edit.ts";
import { erase } from "./operations/erase.ts";
import { graphic } from "./operations/graphic.ts";
import { image } from "./operations/image.ts";
import { removeBackground } from "./operations/remove-background.ts";
import { outpaint } from "./operations/outpaint.ts";
import { scene } from "./operations/scene.ts";
import { story } from "./operations/story.ts";
import { upscale } from "./operations/upscale.ts";
import { variations } from "./operations/variations.ts";
import { vectorize } from "./operations/vectorize.ts";
import type { Task, ToolTask } from "./tasks.ts";

/**
 * The operations that a client can request from a model. Routes, quotes, the OpenAPI document, MCP tools,
 * commands, the audit and the names in requests and responses are derived from this record.
 */
export const operations = {
  image,
  story,
  scene,
  edit,
  combine,
  graphic,
  diagram,
  upscale,
  "remove-background": removeBackground,
  outpaint,
  erase,
  vectorize,
  variations,
};

export type Operation = keyof typeof operations;

/** The valid body of an operation. */
export type RequestOf<Name extends Operation> = z.infer<(typeof operations)[Name]["request"]>;

/** The record of all operations, for functions that take it as an argument. */
export type Operations = {
  readonly [Name in Operation]: OperationDefinition<RequestOf<Name>>;
};

/** The names of a record of operations, in its order. */
export function namesOf<Name extends string>(
  record: Readonly<Record<Name, unknown>>,
): [Name, ...Name[]] {
  return Object.keys(record) as [Name, ...Name[]];
}

export const operation = z.enum(namesOf(operations));

/**
 * A feature that a request can use and a model may lack: an operation, or an option of one. The names are
 * those of `details.capability` in errors.
 */
export type Capability = ModelCapability | `parameters.${EngineParameter}`;

/** A capability that a model has or lacks as a whole; engine parameters have bounds. */
export type ModelCapability =
  | Operation
  | "mask"
  | "markup"
  | "seed"
  | "negative_prompt"
  | "transparency"
  | "svg"
  | "n";

/** Finds how a task changes its image; null for a task that makes a new one, and without a task. */
export function changeOf(task: Pick<Task, "kind"> | undefined): ImageChange | null {
  const all: readonly OperationDefinition[] = Object.values(operations);
  return (task && all.find((definition) => definition.task === task.kind)?.change) ?? null;
}

/** Whether an operation is a tool: it changes an image, and is not an edit. */
export function isTool(name: Operation): boolean {
  const { change }: OperationDefinition = operations[name];
  return name !== "edit" && change !== undefined;
}

/** Whether a task is that of a tool: it changes an image, and is not an edit. */
export function isToolTask<Images extends object>(
  task: Task<Images> | undefined,
): task is ToolTask<Images> {
  return task !== undefined && task.kind !== "edit" && changeOf(task) !== null;
}
