import * as z from "zod";
import { description, optional } from "../fields.ts";
import { imageSource, referenceUrl, type ImageSource } from "../request-fields.ts";

/** The reference of a character, state or location; if set, no image is made for it. */
export const suppliedReference = optional(referenceUrl).meta({
  description: "An image to use as the reference. Default: one is made from the description.",
});

export const suppliedSource = optional(imageSource).meta({
  description: "The same as `reference_url` for an upload or an image of a job.",
});

export function hasOneReference(subject: {
  readonly reference_url?: string | undefined;
  readonly reference?: ImageSource | undefined;
}): boolean {
  return subject.reference_url === undefined || subject.reference === undefined;
}

export function hasReference(subject: Parameters<typeof hasOneReference>[0]): boolean {
  return subject.reference_url !== undefined || subject.reference !== undefined;
}

export const oneReference = "must not have both reference_url and reference";

export const storySetting = optional(description).meta({
  description: "Place, time and mood that all scenes share.",
});

export const storyStyle = optional(
  description.meta({ description: "Visual style of all images.", examples: ["watercolour"] }),
);

export const rawPrompts = optional(z.boolean()).meta({
  description: "Send prompts to the model unchanged. Default: false.",
});
