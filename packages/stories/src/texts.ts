import type { ReferenceSpec, RenderSpec, StoryRequest } from "@atelier/schemas";
import type { Context, Subject } from "./wording.ts";

/** A client text with its path in the request. */
export type ClientText = RenderSpec["texts"][number];

/** Every text of a story, in the order of the request. */
export function storyTexts(request: StoryRequest): ClientText[] {
  return [
    ...(request.title === undefined ? [] : [{ path: "title", text: request.title }]),
    ...contextTexts(request),
    ...(request.reference_images ?? []).map(({ description }, index) => ({
      path: `reference_images.${index}.description`,
      text: description,
    })),
    ...request.characters.flatMap((character, index) => [
      ...labelTexts(character, `characters.${index}`),
      ...Object.entries(character.states ?? {}).flatMap(([key, { description }]) =>
        stateTexts(key, description, index),
      ),
    ]),
    ...(request.locations ?? []).flatMap((location, index) =>
      labelTexts(location, `locations.${index}`),
    ),
    ...request.scenes.map(({ prompt }, index) => ({
      path: `scenes.${index}.prompt`,
      text: prompt,
    })),
  ];
}

/** Texts shared by all images: overall prompt, setting, style and negative prompt. */
export function contextTexts(
  context: Context & { readonly negative_prompt?: string | undefined },
): ClientText[] {
  return (["prompt", "setting", "style", "negative_prompt"] as const).flatMap((path) => {
    const text = context[path];
    return text === undefined ? [] : [{ path, text }];
  });
}

/** Name and description of a character or location at a path. */
export function labelTexts({ name, description }: Subject, path: string): ClientText[] {
  return [
    { path: `${path}.name`, text: name },
    { path: `${path}.description`, text: description },
  ];
}

/** Key and description of a character's state. */
export function stateTexts(key: string, description: string, character: number): ClientText[] {
  const path = `characters.${character}.states.${key}`;
  return [
    { path, text: key },
    { path: `${path}.description`, text: description },
  ];
}

/** Descriptions of the shared reference images among the references. */
export function styleTexts(references: readonly ReferenceSpec[]): ClientText[] {
  return references.flatMap(({ role, description, source }) =>
    role === "style" && source.kind !== "render"
      ? [{ path: source.path.replace(/(?<!\w)\w+$/, "description"), text: description }]
      : [],
  );
}
