import type { Capability } from "@atelier/schemas";
import type { ProviderRequest } from "../provider.ts";

/** The capabilities besides images of a prompt with references that a request needs. */
export function neededCapabilities(request: ProviderRequest): Capability[] {
  const { task, negativePrompt = null, background = "opaque" } = request;
  const needed: Capability[] = [];
  if (task !== undefined) needed.push(task.kind);
  if (task?.kind === "edit" && task.mask !== null) needed.push("mask");
  if (negativePrompt !== null) needed.push("negative_prompt");
  if (background === "transparent") needed.push("transparency");
  return needed;
}
