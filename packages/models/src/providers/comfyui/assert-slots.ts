import type { CatalogueEntry } from "../../catalogue-entry.ts";
import type { ComfyUiWorkflow } from "./comfyui-workflow.ts";

type EngineModel = Pick<CatalogueEntry, "id" | "defaults" | "client_may_set">;

/**
 * Checks that a workflow has a slot for each preset and parameter of its models. Without it, every image
 * with the option would fail.
 *
 * @param file named in errors.
 * @throws Error that names the model and the slot.
 */
export function assertSlots(
  workflow: Pick<ComfyUiWorkflow, "parameters" | "loras">,
  models: readonly EngineModel[],
  file: string,
): void {
  for (const { id, defaults, client_may_set: bounds } of models) {
    const options = Object.keys({ ...defaults, ...bounds }).filter((name) => name !== "loras");
    const missing = options.find((name) => !workflow.parameters.some((slot) => slot === name));
    if (missing !== undefined) {
      throw new Error(
        `The workflow ${file} cannot be used for ${id}: it has no slot @${missing}. Add it to the title of the node, or remove ${missing} from the model.`,
      );
    }
    const loras = (defaults.loras?.length ?? 0) + (bounds.loras?.max ?? 0);
    if (loras > workflow.loras) {
      throw new Error(
        `The workflow ${file} cannot be used for ${id}: its presets and parameters have up to ${loras} LoRAs, and it has ${workflow.loras} slots (@lora1 and so on).`,
      );
    }
  }
}
