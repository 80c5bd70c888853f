import * as z from "zod";
import { description, modelId, name, optional, prompt } from "../fields.ts";
import {
  aspectRatio,
  exactSize,
  imageSize,
  refineSize,
  referenceUrl,
  strictnessOfRequest,
  imageOptions,
} from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import {
  hasOneReference,
  hasReference,
  rawPrompts,
  storySetting,
  storyStyle,
  suppliedSource,
} from "./story-fields.ts";

const sceneReference = z
  .strictObject({
    name,
    description: description.meta({ description: "Its appearance, as in the story." }),
    reference_url: optional(referenceUrl).meta({
      description: "The `reference_url` of the story's result, or another HTTPS URL.",
    }),
    reference: suppliedSource,
  })
  .refine((subject) => hasOneReference(subject) && hasReference(subject), {
    error: "must have exactly one of reference_url and reference",
  })
  .meta({ id: "SceneReference", description: "A character or location of an earlier story." });

/** Body of `POST /v1/generate/scene`: one scene with the references of an earlier story. */
export const sceneRequest = refineSize(
  z.strictObject({
    model: modelId,
    prompt: prompt.meta({ description: "What happens in the scene." }),
    style: storyStyle,
    setting: storySetting,
    characters: optional(z.array(sceneReference).max(10)),
    location: optional(sceneReference),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    ...exactSize,
    strictness: strictnessOfRequest,
    raw_prompts: rawPrompts,
    ...imageOptions,
  }),
).meta({ id: "SceneRequest" });
export type SceneRequest = z.infer<typeof sceneRequest>;

export const scene = {
  request: sceneRequest,
  kind: "image",
  task: null,
  method: "generateScene",
  summary: "Generate a single scene",
  description:
    "Makes one scene with the characters and the location of an earlier story, by their `reference_url`s. Response, waiting and job are those of `POST /v1/generate/image`.",
  examples: {
    scene: [
      "A scene",
      {
        model: "builtin-illustrator",
        prompt: "The kite hangs in a pine tree behind the dunes",
        style: "watercolour",
        aspect_ratio: "16:9",
      },
    ],
  },
  errors: ["duplicate_name"],
  tool: {
    name: "generate_scene",
    title: "Generate a scene",
    description:
      "Makes one scene with the characters and the location of an earlier story, to repeat or continue it without its other images. The references are the reference_url of each in the story's result, with the descriptions of the story. Answers and charges like generate_image.",
  },
  command: { name: "scene", summary: "make one scene of an earlier story, and save it" },
} as const satisfies OperationDefinition<SceneRequest>;
