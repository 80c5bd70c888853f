import {
  engineParameterNames,
  type EngineParameter,
  type EngineParameters,
} from "@atelier/schemas";
import * as z from "zod";

/*
 * What an operator says about the engine of a model: its presets, and what clients may set.
 */

/** A name that cannot end or extend the `<lora:name:weight>` of AUTOMATIC1111. */
const loraName = z
  .string()
  .regex(/^[^<>:]{1,200}$/, "must have 1 to 200 characters without <, > and :");
const names = z.array(z.string().min(1).max(100)).min(1);

const steps = z.int().min(1).max(10_000);
const guidance = z.number().min(0).max(1_000);
const loraWeight = z.number().min(-100).max(100);

function isRange({ min, max }: Range): boolean {
  return min <= max;
}
const inOrder = { error: "min must not exceed max" };
const stepsRange = z.strictObject({ min: steps, max: steps }).refine(isRange, inOrder);
const guidanceRange = z.strictObject({ min: guidance, max: guidance }).refine(isRange, inOrder);
const weightRange = z.strictObject({ min: loraWeight, max: loraWeight }).refine(isRange, inOrder);

/** Values that every call of a model receives. `extra` is sent as is. */
export const engineDefaults = z.strictObject({
  steps: steps.optional(),
  guidance: guidance.optional(),
  sampler: z.string().min(1).optional(),
  scheduler: z.string().min(1).optional(),
  loras: z.array(z.strictObject({ name: loraName, weight: loraWeight })).optional(),
  extra: z.record(z.string(), z.json()).optional(),
});
export type EngineDefaults = z.infer<typeof engineDefaults>;

/** Bounds of the fields that clients may set: a range, or a list of names. Other fields cannot be set. */
export const engineBounds = z.strictObject({
  steps: stepsRange.optional(),
  guidance: guidanceRange.optional(),
  sampler: names.optional(),
  scheduler: names.optional(),
  loras: z
    .strictObject({
      names: z.array(loraName).min(1),
      weight: weightRange.prefault({ min: 0, max: 1 }),
      /** LoRAs of one request. */
      max: z.int().min(1).max(8).default(1),
    })
    .optional(),
});
export type EngineBounds = z.infer<typeof engineBounds>;

/** A parameter that a model does not allow, or a value out of its bounds. */
export interface ParameterProblem {
  readonly parameter: EngineParameter;
  /** Names the value that is not allowed, and the allowed ones. */
  readonly message: string;
  readonly supported?: readonly string[];
}

/** Checks the parameters of a request against the bounds of a model. */
export function checkParameters(
  bounds: EngineBounds,
  parameters: EngineParameters,
  model: string,
): ParameterProblem[] {
  function check<V, B>(
    parameter: EngineParameter,
    value: V | undefined,
    bound: B | undefined,
    find: (value: V, bound: B) => Omit<ParameterProblem, "parameter"> | null,
  ): ParameterProblem[] {
    if (value === undefined) return [];
    const problem = bound === undefined ? notSettable(parameter) : find(value, bound);
    return problem === null ? [] : [{ parameter, ...problem }];
  }

  function notSettable(parameter: EngineParameter) {
    const settable = engineParameterNames.filter((name) => bounds[name] !== undefined);
    const advice =
      settable.length === 0
        ? "Omit parameters, or use a model whose parameters is not null"
        : `It allows ${settable.join(", ")}`;
    return { message: `${model} does not let requests set ${parameter}. ${advice}.` };
  }

  return [
    ...check("steps", parameters.steps, bounds.steps, findNumberProblem("steps")),
    ...check("guidance", parameters.guidance, bounds.guidance, findNumberProblem("guidance")),
    ...check("sampler", parameters.sampler, bounds.sampler, findNameProblem("sampler")),
    ...check("scheduler", parameters.scheduler, bounds.scheduler, findNameProblem("scheduler")),
    ...check("loras", parameters.loras, bounds.loras, findLoraProblem),
  ];
}

type Problem = Omit<ParameterProblem, "parameter"> | null;

/** Whether a model lets requests set these parameters to these values. */
export function allowsParameters(
  { client_may_set: bounds, id }: { readonly client_may_set: EngineBounds; readonly id: string },
  parameters: EngineParameters,
): boolean {
  return checkParameters(bounds, parameters, id).length === 0;
}

function findNumberProblem(parameter: EngineParameter) {
  return (value: number, range: Range): Problem =>
    isWithin(value, range) ? null : { message: `${parameter} must be ${describeRange(range)}.` };
}

function findNameProblem(parameter: EngineParameter) {
  return (value: string, supported: readonly string[]): Problem =>
    supported.includes(value)
      ? null
      : { supported, message: `${parameter} must be one of ${supported.join(", ")}.` };
}

/** Describes a preset outside of the bounds of `client_may_set`; null if all are within. LoRAs are not compared. */
export function findPresetProblem(bounds: EngineBounds, defaults: EngineDefaults): string | null {
  const { extra: _, loras: __, ...presets } = defaults;
  const bounded = engineParameterNames.filter((name) => bounds[name] !== undefined);
  const shared = Object.fromEntries(
    Object.entries(presets).filter(([name]) => bounded.some((other) => other === name)),
  );
  const [problem] = checkParameters(bounds, shared, "the model");
  return problem === undefined ? null : `defaults: ${problem.message.replace(/\.$/, "")}`;
}

function findLoraProblem(
  loras: NonNullable<EngineParameters["loras"]>,
  { max, names: supported, weight }: NonNullable<EngineBounds["loras"]>,
): Problem {
  const problem = (message: string) => ({ supported, message });
  if (loras.length > max) return problem(`loras must have at most ${max}.`);
  if (new Set(loras.map(({ name }) => name)).size < loras.length) {
    return problem("loras must not name a LoRA twice.");
  }
  const unknown = loras.find(({ name }) => !supported.includes(name));
  if (unknown !== undefined) {
    return problem(`"${unknown.name}" is not a LoRA of this model. Use ${supported.join(", ")}.`);
  }
  return loras.every((lora) => isWithin(lora.weight, weight))
    ? null
    : problem(`The weight of a LoRA must be ${describeRange(weight)}.`);
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function isWithin(value: number, { max, min }: Range): boolean {
  return value >= min && value <= max;
}

function describeRange({ max, min }: Range): string {
  return `${min} to ${max}`;
}

/** The parameters of a call: those of the request over the presets; LoRAs of both apply. */
export function mergeParameters(
  defaults: EngineDefaults,
  parameters: EngineParameters = {},
): EngineDefaults {
  const wanted = parameters.loras ?? [];
  const preset = (defaults.loras ?? []).filter(
    ({ name }) => !wanted.some((lora) => lora.name === name),
  );
  const loras = [...preset, ...wanted];
  return { ...defaults, ...parameters, ...(loras.length > 0 ? { loras } : {}) };
}

/** JSON schema of the `parameters` that requests may set; null if they may set no parameter. */
export function describeParameters(
  bounds: EngineBounds,
  defaults: EngineDefaults,
): Record<string, unknown> | null {
  const properties = {
    ...(bounds.steps && {
      steps: { type: "integer", ...describeNumber(bounds.steps, defaults.steps) },
    }),
    ...(bounds.guidance && {
      guidance: { type: "number", ...describeNumber(bounds.guidance, defaults.guidance) },
    }),
    ...(bounds.sampler && { sampler: describeNames(bounds.sampler, defaults.sampler) }),
    ...(bounds.scheduler && { scheduler: describeNames(bounds.scheduler, defaults.scheduler) }),
    ...(bounds.loras && {
      loras: {
        type: "array",
        maxItems: bounds.loras.max,
        items: {
          type: "object",
          properties: {
            name: { type: "string", enum: bounds.loras.names },
            weight: { type: "number", ...describeNumber(bounds.loras.weight) },
          },
          required: ["name", "weight"],
          additionalProperties: false,
        },
      },
    }),
  };
  if (Object.keys(properties).length === 0) return null;
  return { type: "object", properties, additionalProperties: false };
}

function describeNumber({ min, max }: Range, preset?: number) {
  return { minimum: min, maximum: max, ...(preset === undefined ? {} : { default: preset }) };
}

function describeNames(allowed: readonly string[], preset?: string) {
  return { type: "string", enum: allowed, ...(preset === undefined ? {} : { default: preset }) };
}
