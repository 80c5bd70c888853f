import type { EngineParameter } from "@atelier/schemas";
import * as z from "zod";
import type { ComfyUiWorkflow } from "./comfyui-workflow.ts";
import type { FoundModel } from "../../discovery/describe-entry.ts";
import type { ReadServer } from "../../discovery/read-server.ts";

const objectInfo = z.record(
  z.string(),
  z.object({
    input: z
      .object({
        required: z.record(z.string(), z.unknown()).optional(),
        optional: z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
  }),
);

/** A list of names: `[["euler", "heun"], {…}]`, or `["COMBO", {"options": […]}]` of newer nodes. */
const choice = z.union([
  z.tuple([z.array(z.string())], z.unknown()).transform(([names]) => names),
  z
    .tuple([z.literal("COMBO"), z.object({ options: z.array(z.string()) })], z.unknown())
    .transform(([, { options }]) => options),
]);

/**
 * Reads the names that ComfyUI knows for the slots of a workflow. The workflow is the model: its own
 * values are the presets.
 *
 * Source: `GET /object_info` in ComfyUI's `server.py` and the inputs of its nodes, read on 2026-11-24.
 *
 * @param name of the model, such as the file of the workflow.
 * @throws Error for a node that the server does not have.
 */
export async function discoverComfyUi(
  read: ReadServer,
  workflow: ComfyUiWorkflow,
  name: string,
): Promise<FoundModel[]> {
  const info = await read("object_info", objectInfo, "Check that it is ComfyUI.");
  const missing = workflow.nodes.find((type) => !(type in info));
  if (missing !== undefined) {
    throw new Error(
      `ComfyUI has no node ${missing}, which the workflow uses. Install the extension that has it, or export another workflow.`,
    );
  }
  const slotOf = (parameter: EngineParameter) =>
    workflow.slots.find((slot) => slot.name === (parameter === "loras" ? "lora" : parameter));
  const valueOf = (parameter: EngineParameter) => slotOf(parameter)?.value;
  const namesFor = (parameter: EngineParameter): readonly string[] => {
    const slot = slotOf(parameter);
    const inputs = slot === undefined ? undefined : info[slot.classType]?.input;
    const input = { ...inputs?.optional, ...inputs?.required }[slot?.input ?? ""];
    return choice.safeParse(input).data ?? [];
  };
  return [
    {
      name,
      description: `The workflow ${name} on our own ComfyUI.`,
      operations: workflow.hasSource ? ["edit"] : ["image", "scene"],
      maxReferenceImages: workflow.references,
      supportsMask: workflow.hasSource,
      supportsNegativePrompt: workflow.hasNegative,
      parameters: workflow.parameters,
      presets: {
        steps: valueOf("steps"),
        guidance: valueOf("guidance"),
        sampler: valueOf("sampler"),
        scheduler: valueOf("scheduler"),
      },
      samplers: namesFor("sampler"),
      schedulers: namesFor("scheduler"),
      loras: namesFor("loras"),
      maxLoras: workflow.loras,
    },
  ];
}
