import type { ProviderSettings } from "./provider-settings.ts";

/** The parts that an engine has to load for a call. */
export interface EngineNeeds {
  /** The model, or what selects it; constant for an engine with one model. */
  readonly model: string;
  /** LoRAs that are loaded in addition, in a canonical form; empty for none. */
  readonly loras: string;
}

/**
 * Determines what a server of a provider loads for a call, so that calls with the same needs go to the
 * same server.
 */
export function describeNeeds(
  { kind, name, workflowFile }: Pick<ProviderSettings, "kind" | "name" | "workflowFile">,
  model: string,
  loras: readonly { readonly name: string }[] = [],
): EngineNeeds {
  return {
    model: modelLoadedBy(kind, model, workflowFile ?? name),
    loras: [...new Set(loras.map((lora) => lora.name))].toSorted().join(", "),
  };
}

function modelLoadedBy(kind: ProviderSettings["kind"], model: string, workflow: string): string {
  // Its model is chosen at its start.
  if (kind === "sdcpp") return "";
  // Its models are in the workflow.
  return kind === "comfyui" ? workflow : model;
}
