import { engineParameterNames, type EngineParameter } from "@atelier/schemas";
import * as z from "zod";
import type { EngineDefaults } from "../../engine-settings.ts";

/**
 * A parsed workflow of the operator, ready to be filled in.
 *
 * The file is what ComfyUI writes with "File → Export Workflow (API)". Slots are marked in ComfyUI
 * itself, in the title of a node (double-click it). The export keeps titles, so the file needs no
 * manual editing.
 *
 * | in a node's title | value written into the node | into the input named |
 * |---|---|---|
 * | `@prompt` | the prompt | `text`, `prompt`, `value` or `string` |
 * | `@seed` | the seed | `seed`, `noise_seed` or `value` |
 * | `@width`, `@height` | pixels | `width` or `height`, or `value` |
 * | `@size` | width and height, both on this node | `width` and `height` |
 * | `@reference1`, `@reference2`, … | an uploaded image | `image` |
 * | `@negative` | the negative prompt, or an empty text | as `@prompt` |
 * | `@source` | the uploaded image to edit | `image` |
 * | `@mask` | the uploaded mask of an edit, on a LoadImageMask node with the channel `red` | `image` |
 * | `@strength` | how far an edit may deviate from its image, 0 to 1 | `denoise`, `strength` or `value` |
 * | `@steps` | sampling steps | `steps` or `value` |
 * | `@guidance` | the guidance | `cfg`, `guidance` or `value` |
 * | `@sampler`, `@scheduler` | a name | `sampler_name` or `scheduler`, or `value` |
 * | `@lora1`, `@lora2`, … | a LoRA and its weight; without one, the weight 0 | `lora_name`, and `strength_model`, `strength_clip` or `strength` |
 * | `@output` | nothing: the image is taken from this node | |
 *
 * A title may contain other text ("Positive prompt @prompt"), several nodes may have the same slot,
 * and `@prompt:clip_l` names the input explicitly. `@output` is needed only when more than one node
 * saves images.
 *
 * When a request has fewer images than slots, the nodes of the unused slots and the links to them are
 * removed. `@strength` and the options of the engine keep the workflow's own values when neither the request
 * nor the model's entry has any. Connect references to optional inputs, such as `image1` to `image3` of
 * TextEncodeQwenImageEditPlus; ComfyUI rejects a graph that lacks a required input.
 */
export interface ComfyUiWorkflow {
  /** Maximum number of reference images: the highest number of a `@reference` slot, or 0. */
  readonly references: number;
  /** Whether there is a slot for an image to edit. */
  readonly hasSource: boolean;
  readonly hasNegative: boolean;
  /** The options of the engine that have a slot. */
  readonly parameters: readonly EngineParameter[];
  /** The highest number of a `@lora` slot, or 0. */
  readonly loras: number;
  /** The classes of its nodes. */
  readonly nodes: readonly string[];
  /** Where values are written, and what the operator's file has there. */
  readonly slots: readonly WorkflowSlot[];
  /** The node whose image is returned; null for the first node with an image. */
  readonly outputNode: string | null;
  /** Returns a copy of the graph with the slots filled. */
  fillSlots(values: SlotValues): ComfyUiGraph;
}

/** A place of a workflow that a value is written to, such as `sampler`. */
interface WorkflowSlot {
  readonly name: string;
  readonly classType: string;
  readonly input: string;
  readonly value: unknown;
}

/** A graph in ComfyUI's API format: nodes by id. */
type ComfyUiGraph = Record<string, ComfyUiNode>;

interface ComfyUiNode {
  class_type: string;
  inputs: Record<string, unknown>;
}

interface SlotValues {
  readonly prompt: string;
  /** A non-negative integer. */
  readonly seed: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Names of uploaded images, at most one per slot. */
  readonly references: readonly string[];
  /** Default: an empty text. */
  readonly negative?: string;
  /** Names of the uploaded image and mask of an edit. Default: none. */
  readonly source?: string | null;
  readonly mask?: string | null;
  readonly strength?: number | null;
  /** Options of the engine. Default: the workflow's own. */
  readonly parameters?: EngineDefaults;
}

const graphSchema = z.record(
  z.string(),
  z.looseObject({
    class_type: z.string(),
    inputs: z.record(z.string(), z.unknown()),
    _meta: z.looseObject({ title: z.string().optional() }).optional(),
  }),
);

const inputsOf: Readonly<Record<string, readonly string[]>> = {
  prompt: ["text", "prompt", "value", "string"],
  negative: ["text", "prompt", "value", "string"],
  seed: ["seed", "noise_seed", "value"],
  width: ["width", "value"],
  height: ["height", "value"],
  reference: ["image"],
  source: ["image"],
  mask: ["image"],
  strength: ["denoise", "strength", "value"],
  steps: ["steps", "value"],
  guidance: ["cfg", "guidance", "value"],
  sampler: ["sampler_name", "value"],
  scheduler: ["scheduler", "value"],
  lora: ["lora_name", "value"],
};
const numberedSlots: ReadonlySet<string> = new Set(["reference", "lora"]);
/** Inputs of a LoRA's node that take its weight. */
const weightInputs = ["strength_model", "strength_clip", "strength"];

/** One value to be written into one input of one node. */
interface Slot {
  readonly name: string;
  /** 1 for `@reference1`; 0 for slots without a number. */
  readonly number: number;
  readonly node: string;
  readonly input: string;
}

/**
 * Reads a workflow file and finds its slots.
 *
 * @param name the file's name in error messages.
 * @throws Error that says which slot is missing or cannot be filled, and how to fix it.
 */
export function readComfyUiWorkflow(text: string, name: string): ComfyUiWorkflow {
  const fail = (reason: string): Error =>
    new Error(`The ComfyUI workflow ${name} cannot be used: ${reason}`);
  const graph = parseGraph(text, fail);
  const slots: Slot[] = [];
  const outputs: string[] = [];
  for (const [node, { inputs, _meta }] of Object.entries(graph)) {
    for (const mark of (_meta?.title ?? "").matchAll(/(?<!\S)@([a-z]+)(\d*)(?::(\w+))?/g)) {
      const [whole, slot = "", digits = "", input] = mark;
      if (slot === "output") outputs.push(node);
      else if (slot === "size") {
        slots.push(
          ...["width", "height"].map((edge) => findSlot(edge, 0, node, inputs, edge, fail)),
        );
      } else if (slot in inputsOf) {
        if (numberedSlots.has(slot) !== (digits !== "")) {
          throw fail(
            `"${whole}" on node ${node}: only references and LoRAs are numbered, from @reference1 and @lora1.`,
          );
        }
        slots.push(findSlot(slot, Number(digits), node, inputs, input, fail));
        if (slot === "lora") slots.push(...findWeights(Number(digits), node, inputs, fail));
      } else {
        throw fail(
          `"${whole}" on node ${node} is not a slot. There are @prompt, @negative, @seed, @size, @width, @height, @reference1 and so on, @source, @mask, @strength, @steps, @guidance, @sampler, @scheduler, @lora1 and so on, and @output.`,
        );
      }
    }
  }
  const hasSource = slots.some((slot) => slot.name === "source");
  // The image to edit determines the size.
  for (const needed of ["prompt", "seed", ...(hasSource ? [] : ["width", "height"])]) {
    if (!slots.some((slot) => slot.name === needed)) {
      const mark =
        needed === "width" || needed === "height" ? `@size (or @${needed})` : `@${needed}`;
      throw fail(
        `it has no slot for the ${needed}. Put ${mark} into the title of the node that has it, and export the workflow again.`,
      );
    }
  }
  const references = countSlots("reference", slots, fail);
  const loras = countSlots("lora", slots, fail);
  if (outputs.length > 1) throw fail("more than one node has @output in its title.");
  const has = (wanted: string) => slots.some((slot) => slot.name === wanted);
  if (has("mask") && !hasSource) throw fail("it has a slot @mask, but no @source.");
  return {
    references,
    hasSource,
    hasNegative: has("negative"),
    parameters: engineParameterNames.filter((option) => has(option === "loras" ? "lora" : option)),
    loras,
    nodes: [...new Set(Object.values(graph).map(({ class_type: type }) => type))],
    slots: slots.map(({ name: slot, node, input }) => ({
      name: slot,
      classType: graph[node]?.class_type ?? "",
      input,
      value: graph[node]?.inputs[input],
    })),
    outputNode: outputs[0] ?? null,
    fillSlots: (values) => fillSlots(graph, slots, values),
  };
}

/** The highest number of a numbered slot; all below it must exist. */
function countSlots(name: string, slots: readonly Slot[], fail: (reason: string) => Error): number {
  const numbers = slots.filter((slot) => slot.name === name).map((slot) => slot.number);
  const count = Math.max(0, ...numbers);
  for (let number = 1; number <= count; number += 1) {
    if (!numbers.includes(number)) {
      throw fail(`it has a slot @${name}${count}, but no @${name}${number}.`);
    }
  }
  return count;
}

/** The inputs for the weight of a LoRA. */
function findWeights(
  number: number,
  node: string,
  inputs: Readonly<Record<string, unknown>>,
  fail: (reason: string) => Error,
): Slot[] {
  const found = weightInputs.filter((input) => input in inputs && !Array.isArray(inputs[input]));
  if (found.length === 0) {
    throw fail(
      `node ${node} is marked @lora${number}, but has no input ${weightInputs.join(" or ")}.`,
    );
  }
  return found.map((input) => ({ name: "lora-weight", number, node, input }));
}

function parseGraph(text: string, fail: (reason: string) => Error): z.infer<typeof graphSchema> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw fail("it is not JSON.");
  }
  const parsed = graphSchema.safeParse(data);
  if (parsed.success && Object.keys(parsed.data).length > 0) return parsed.data;
  throw fail('it is not in API format. Export it with "File → Export Workflow (API)".');
}

function findSlot(
  name: string,
  number: number,
  node: string,
  inputs: Readonly<Record<string, unknown>>,
  named: string | undefined,
  fail: (reason: string) => Error,
): Slot {
  const candidates = named === undefined ? (inputsOf[name] ?? []) : [named];
  // An array is a link to another node's output; overwriting it would break the graph.
  const input = candidates.find(
    (candidate) => candidate in inputs && !Array.isArray(inputs[candidate]),
  );
  if (input !== undefined) return { name, number, node, input };
  const own = Object.keys(inputs).filter((key) => !Array.isArray(inputs[key]));
  throw fail(
    `node ${node} is marked @${name}${number || ""}, but has no input ${candidates.join(" or ")} to write to. ` +
      `It has ${own.join(", ") || "none"}; name one with @${name}${number || ""}:input.`,
  );
}

function fillSlots(
  graph: z.infer<typeof graphSchema>,
  slots: readonly Slot[],
  values: SlotValues,
): ComfyUiGraph {
  const filled: ComfyUiGraph = Object.fromEntries(
    Object.entries(graph).map(([id, { class_type, inputs }]) => [
      id,
      { class_type, inputs: structuredClone(inputs) },
    ]),
  );
  const { loras = [], ...options } = values.parameters ?? {};
  const valueOf = (slot: Slot): string | number | null | undefined => {
    switch (slot.name) {
      case "prompt":
        return values.prompt;
      case "seed":
        return values.seed;
      case "width":
        return values.width;
      case "height":
        return values.height;
      case "negative":
        return values.negative ?? "";
      case "source":
        return values.source ?? undefined;
      case "mask":
        return values.mask ?? undefined;
      case "strength":
        return values.strength ?? null;
      case "steps":
      case "guidance":
      case "sampler":
      case "scheduler":
        return options[slot.name] ?? null;
      case "lora":
        return loras[slot.number - 1]?.name ?? null;
      case "lora-weight":
        return loras[slot.number - 1]?.weight ?? 0;
      default:
        return values.references[slot.number - 1];
    }
  };
  for (const slot of slots) {
    const value = valueOf(slot);
    if (value === undefined) removeNode(filled, slot.node);
    else if (value !== null) {
      const node = filled[slot.node];
      if (node !== undefined) node.inputs[slot.input] = value;
    }
  }
  return filled;
}

function removeNode(graph: ComfyUiGraph, removed: string): void {
  delete graph[removed];
  for (const node of Object.values(graph)) {
    for (const [input, value] of Object.entries(node.inputs)) {
      if (Array.isArray(value) && value[0] === removed) delete node.inputs[input];
    }
  }
}
