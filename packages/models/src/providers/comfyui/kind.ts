import { readFile } from "node:fs/promises";
import { parse, resolve } from "node:path";
import { engineParameterNames } from "@atelier/schemas";
import * as z from "zod";
import { pixelsOf } from "../fit-pixels.ts";
import { bearer, everyModel, everySeed, ownSettings, serverOptions, type Kind } from "../kind.ts";
import { assertSlots } from "./assert-slots.ts";
import { readComfyUiWorkflow } from "./comfyui-workflow.ts";
import { areas, createComfyUiProvider } from "./comfyui.ts";
import { discoverComfyUi } from "./discover.ts";

interface ComfyUiSettings {
  /** Absolute path. */
  readonly workflowFile: string;
}

export const comfyui: Kind<ComfyUiSettings, null> = {
  keyVariable: null,
  servers: "many",
  own: ownSettings(
    { workflow_file: z.string().min(1) },
    "is required for ComfyUI, and for nothing else.",
    ({ workflow_file: file }, folder) => ({ workflowFile: resolve(folder, file) }),
  ),
  canSize: everyModel,
  sendsSeed: everySeed,
  // A workflow has its other settings in its own nodes.
  parameters: () => engineParameterNames,
  pixels: (wanted) => pixelsOf(wanted, areas),
  // The models are in the workflow.
  loads: (_model, { workflowFile }) => workflowFile,
  discovery: {
    authorize: bearer,
    find: async (read, { workflowFile }) =>
      discoverComfyUi(read, await readWorkflow(workflowFile), parse(workflowFile).name),
  },
  async create(settings) {
    const { workflowFile } = settings.own;
    const workflow = await readWorkflow(workflowFile);
    assertSlots(workflow, settings.models, workflowFile);
    return createComfyUiProvider({ ...serverOptions(settings), workflow });
  },
};

async function readWorkflow(file: string) {
  return readComfyUiWorkflow(await readFile(file, "utf8"), file);
}
