/*
 * The placeholders of a description: `{prompt}` in a text stands for a value of the call.
 */

/** The placeholders of a body, a path and a header with their values, for the documentation. A description may add some by `poll.keep`. */
export const placeholders = {
  model: "the provider's model id, `provider_model` of the model's entry",
  model_name: "the part of the model id before its last colon",
  model_version: "the part of the model id after its last colon; absent without one",
  prompt: "the prompt, with a line for each reference",
  negative_prompt: "absent unless the request has one",
  aspect_ratio: "for example 16:9, or its name in `aspect_ratios`",
  image_size: "for example 1K, or the `value` of the size",
  width: "in pixels",
  height: "in pixels",
  seed: "within `seed.min` and `seed.max`",
  background: "`transparent`; absent for an opaque image",
  images: "the list of all images: the one to edit, then the references",
  image: "the first of the images",
  references: "the list of references, without the image to edit",
  mask: "the mask of an edit; absent without one",
  palette: "the list of colours of a graphic; absent without one",
  background_color: "the background of a graphic; absent if it is transparent",
  steps: "the engine parameter; absent unless set",
  guidance: "the engine parameter; absent unless set",
  sampler: "the engine parameter; absent unless set",
  scheduler: "the engine parameter; absent unless set",
  loras: "the list of LoRAs; absent unless set",
  extra: "the fields of `defaults.extra`; only as the value of a key `...`",
  key: "an idempotency key, the same for each attempt of an image",
} as const;

/** Under this key, a placeholder for an object: its fields are merged into the object around it. */
export const spread = "...";

const pattern = /\{([a-z][a-z0-9_]*)\}/g;

/** The names of the placeholders in a text. */
export function findPlaceholders(text: string): string[] {
  return Array.from(text.matchAll(pattern), ([, name = ""]) => name);
}

/** The name of the placeholder that a text consists of; null for any other text. */
export function onlyPlaceholder(text: string): string | null {
  const [, name = null] = /^\{([a-z][a-z0-9_]*)\}$/.exec(text) ?? [];
  return name;
}

/**
 * Replaces the placeholders of a text.
 *
 * @returns undefined if one of them is absent.
 */
export function fillText(
  text: string,
  valueOf: (name: string) => string | undefined,
): string | undefined {
  let isComplete = true;
  const filled = text.replaceAll(pattern, (_, name: string) => {
    const value = valueOf(name);
    if (value === undefined) isComplete = false;
    return value ?? "";
  });
  return isComplete ? filled : undefined;
}
