import type { ReferenceRole } from "@atelier/schemas";
import type { ImageFile, ProviderReference, ProviderRequest } from "../provider.ts";
import { describeArea } from "./edit/mask-forms.ts";

const meanings: Readonly<Record<ReferenceRole, string>> = {
  style: "style to follow",
  character: "character",
  location: "location",
  "previous-scene": "the scene before",
  part: "part of the picture",
};

/** Describes a reference by its position in the list of images; `index` is zero-based. */
export function describeReference(reference: ProviderReference, index: number): string {
  const { description, name, role } = reference;
  const subject = [meanings[role], ...(name === null ? [] : [`"${name}"`])].join(" ");
  return `Image ${index + 1} is a reference (${subject}): ${description}`;
}

type PromptInput = Pick<ProviderRequest, "prompt" | "rawPrompt" | "references" | "task">;

/**
 * The prompt for a model that takes its images as an ordered list: a description of each image by
 * its position, then the client's prompt. Raw prompts and prompts without references are unchanged.
 */
export function promptWithReferences(request: PromptInput): string {
  const { prompt, rawPrompt = false, references, task } = request;
  if (rawPrompt || references.length === 0) return prompt;
  const edited = task?.kind === "edit" ? ["Image 1 is the picture to change."] : [];
  const described = references.map((reference, index) =>
    describeReference(reference, index + edited.length),
  );
  return `${[...edited, ...described].join("\n")}\n\n${prompt}`;
}

/**
 * The prompt for a model without masks: an edit also says where the area to change is. The adapter
 * restores everything outside of the mask, whatever the model does.
 */
export async function promptWithEditArea(request: PromptInput): Promise<string> {
  const { rawPrompt = false, task } = request;
  const prompt = promptWithReferences(request);
  if (rawPrompt || task?.kind !== "edit" || task.mask === null) return prompt;
  return `${prompt}${await describeArea(task.mask)}`;
}

/** The images of a request in order: the image to edit, then the references. */
export function inputImages({
  references,
  task,
}: Pick<ProviderRequest, "references" | "task">): readonly ImageFile[] {
  return task?.kind === "edit" ? [task.image, ...references] : references;
}
