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

/** Other looks that a character may have. */
export const maxStates = 5;

/** Not trimmed like other names: if two keys became equal, a state would be lost. */
export const stateKey = z
  .string()
  .regex(/^\S(.{0,98}\S)?$/u, "must have 1 to 100 characters, and no space at either end");

/** A required text that a kept character or location has; empty until the request is completed with it. */
export function ofMember(schema: z.ZodType<string>) {
  return optional(schema).transform((given) => given ?? "");
}

/** The id of a kept character. */
export const characterId = optional(z.uuid().toLowerCase()).meta({
  description:
    "The `id` of a character of `GET /v1/characters`. It has the place of description and image.",
});

/** The id of a kept location. */
export const locationId = optional(z.uuid().toLowerCase()).meta({
  description:
    "The `id` of a location of `GET /v1/locations`. It has the place of description and image.",
});

/** A character or location of a request. */
interface DescribedSubject {
  readonly name: string;
  readonly description: string;
  readonly reference_url?: string | undefined;
  readonly reference?: ImageSource | undefined;
}

/** Checks that a character or location is described, or has an id and says no more than its name. */
export function refineSubject(
  subject: DescribedSubject,
  idField: "character_id" | "location_id",
  id: string | undefined,
  context: z.RefinementCtx,
): void {
  const add = (field: string, message: string) => {
    context.addIssue({ code: "custom", path: [field], message });
  };
  if (id === undefined) {
    if (subject.name === "") add("name", "is required");
    if (subject.description === "") add("description", "is required");
    return;
  }
  for (const field of ["description", "reference_url", "reference"] as const) {
    if ((subject[field] ?? "") !== "") add(field, `must be omitted beside ${idField}`);
  }
}

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
