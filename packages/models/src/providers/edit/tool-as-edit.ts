import type { ProviderImage, ProviderRequest } from "../../provider.ts";
import { enlarge, putBack } from "./enlarge.ts";

/** A tool as an edit, and how its result becomes that of the tool. */
interface ToolEdit {
  readonly request: ProviderRequest;
  readonly finish: (image: ProviderImage) => Promise<ProviderImage>;
}

/** The prompts of the tools for edit models. */
const prompts = {
  erase:
    "Remove what is in the marked area. Fill it with what surrounds it, as if nothing had been there.",
  outpaint: "Continue the image beyond its edges, in the same style, light and perspective.",
  variations:
    "Make a variation of this image: the same subject, style and composition, with different details.",
};

/**
 * Turns a tool that models for edits can do into an edit: erasing into a change inside of the mask, extending
 * into a change of the area around the image, and variations into a change of the whole image.
 *
 * @returns null for any other request.
 */
export async function toolAsEdit(request: ProviderRequest): Promise<ToolEdit | null> {
  const { task } = request;
  // With a mask, an edit has the size of its image; without one, the model's.
  const { pixels: _, ...rest } = request;
  const keep = (image: ProviderImage) => Promise.resolve(image);
  if (task?.kind === "erase") {
    const edit = { ...task, kind: "edit", strength: null } as const;
    return { request: { ...rest, prompt: prompts.erase, task: edit }, finish: keep };
  }
  if (task?.kind === "variations") {
    const edit = { ...task, kind: "edit", mask: null } as const;
    return { request: { ...rest, prompt: prompts.variations, task: edit }, finish: keep };
  }
  if (task?.kind !== "outpaint") return null;
  const { image, margins } = task;
  const edit = { kind: "edit", ...(await enlarge(image, margins)), strength: null } as const;
  const prompt = [prompts.outpaint, request.prompt].filter((text) => text !== "").join(" ");
  return {
    request: { ...rest, prompt, task: edit },
    finish: (result) => putBack(result, image, margins),
  };
}
