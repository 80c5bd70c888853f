import * as z from "zod";
import { after } from "../after.ts";
import { modelId, name, optional, prompt } from "../fields.ts";
import {
  aspectRatio,
  exactSize,
  exampleCharacterId,
  imageSize,
  maxReferenceImages,
  refineSize,
  referenceImages,
  strictnessOfRequest,
  imageOptions,
} from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";

const nameInImage = optional(name).meta({
  description: "Its name in the prompt. Default: its own.",
});

const imageCharacter = z
  .strictObject({
    character_id: z.uuid().toLowerCase().meta({
      description: "The `id` of a character of `GET /v1/characters`.",
    }),
    name: nameInImage,
    state: optional(name).meta({
      description: "The key of its state. Default: its normal look.",
    }),
  })
  .meta({ id: "ImageCharacter" });

const imageLocation = z
  .strictObject({
    location_id: z.uuid().toLowerCase().meta({
      description: "The `id` of a location of `GET /v1/locations`.",
    }),
    name: nameInImage,
  })
  .meta({ id: "ImageLocation" });

/** Body of `POST /v1/generate/image`. */
export const imageRequest = refineSize(
  z.strictObject({
    model: modelId,
    prompt: prompt.meta({
      description: "What the image shows.",
      examples: ["a lighthouse at dusk, waves against the rocks"],
    }),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    ...exactSize,
    reference_images: referenceImages,
    characters: optional(z.array(imageCharacter).max(maxReferenceImages)).meta({
      description:
        "Kept characters that the image shows. Their descriptions are added to the prompt, and their images are references.",
    }),
    location: optional(imageLocation).meta({
      description: "The kept location of the image, used in the same way.",
    }),
    after,
    strictness: strictnessOfRequest,
    ...imageOptions,
  }),
).meta({ id: "ImageRequest" });
export type ImageRequest = z.infer<typeof imageRequest>;

export const image = {
  request: imageRequest,
  kind: "image",
  task: null,
  method: "generateImage",
  summary: "Generate an image",
  description:
    "Makes one image from a prompt and returns it, or `n` images that differ in their seeds. If it is not done after the wait (`Prefer: wait=N`; default and maximum: the server's limit), the response is 202 with the job, never a timeout. The job continues if the client disconnects, and `GET /v1/jobs` lists it.",
  examples: {
    prompt: ["A prompt", { model: "builtin-illustrator", prompt: "a lighthouse at dusk" }],
    several: [
      "Four images of one prompt",
      {
        model: "builtin-illustrator",
        prompt: "a paper boat on a pond",
        n: 4,
        seed: 7,
        metadata: { order: "A-1027" },
      },
    ],
    options: [
      "A prompt and options",
      {
        model: "builtin-illustrator",
        prompt: "a red fox in a snowy forest, watercolour",
        aspect_ratio: "16:9",
        image_size: "1K",
        strictness: "normal",
      },
    ],
    characters: [
      "A character that is kept",
      {
        model: "builtin-illustrator",
        prompt: "Mira repairs the lamp of the lighthouse",
        characters: [{ character_id: exampleCharacterId }],
      },
    ],
    after: [
      "An image that is then scaled up",
      {
        model: "builtin-illustrator",
        prompt: "a quiet bay with a lighthouse",
        after: ["upscale:2"],
      },
    ],
  },
  errors: ["duplicate_name", "unknown_character", "unknown_state", "unknown_location"],
  tool: {
    name: "generate_image",
    title: "Generate an image",
    description:
      "Makes one image from a text prompt, or several with n, and charges the price of each to the account. Answers with the finished job: a link to the image, a thumbnail, cost and balance. When it takes longer than wait_seconds, answers with the unfinished job: call get_job then, and not this again. Use generate_story for several scenes with the same characters.",
  },
  command: {
    name: "generate",
    alias: "image",
    summary: "make an image, save it and print its path",
  },
} as const satisfies OperationDefinition<ImageRequest>;
