import { engineParameterNames, type Capability } from "@atelier/schemas";
import type { ProviderRequest } from "../provider.ts";

/** The capabilities besides images of a prompt with references that a request needs. */
export function neededCapabilities(request: ProviderRequest): Capability[] {
  const { task, negativePrompt = null, background = "opaque", parameters = {} } = request;
  const needed: Capability[] = [];
  if (task !== undefined) needed.push(task.kind);
  if (task?.kind === "edit" && task.mask !== null) needed.push("mask");
  if (task?.kind === "edit" && task.markup != null) needed.push("markup");
  if (negativePrompt !== null) needed.push("negative_prompt");
  if (background === "transparent") needed.push("transparency");
  for (const name of engineParameterNames) {
    if (parameters[name] !== undefined) needed.push(`parameters.${name}`);
  }
  return needed;
}
