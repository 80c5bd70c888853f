import * as z from "zod";
import { after } from "../after.ts";
import { description, modelId, name, optional, prompt } from "../fields.ts";
import {
  aspectRatio,
  exactSize,
  exampleJobId,
  imageSize,
  refineSize,
  referenceUrl,
  strictnessOfRequest,
  imageOptions,
} from "../request-fields.ts";
import type { OperationDefinition } from "./definition.ts";
import {
  characterId,
  hasOneReference,
  hasReference,
  locationId,
  ofMember,
  oneReference,
  rawPrompts,
  storySetting,
  storyStyle,
  suppliedSource,
} from "./story-fields.ts";

const sceneReference = z
  .strictObject({
    character_id: characterId,
    location_id: locationId,
    name: ofMember(name),
    state: optional(name).meta({
      description: "With `story_job_id` or `character_id`: the key of the character's state.",
    }),
    description: optional(description).meta({
      description: "Its appearance, as in the story. With `story_job_id`, that of the story.",
    }),
    reference_url: optional(referenceUrl).meta({
      description: "The `reference_url` of the story's result, or another HTTPS URL.",
    }),
    reference: suppliedSource,
  })
  .refine(hasOneReference, { error: oneReference })
  .meta({
    id: "SceneReference",
    description:
      "A character or location of an earlier story, or one that is kept. With `story_job_id`, its name is enough, and a plain text is short for it.",
  });
type SceneReference = z.infer<typeof sceneReference>;

/** A plain text is short for a name. */
const shortReference = z.preprocess(
  (value) => (typeof value === "string" ? { name: value } : value),
  sceneReference,
);

/** Whether the story of the request completes a character or location. */
const isOfStory = (subject: SceneReference) =>
  subject.description === undefined && !hasReference(subject);

type Problem = readonly [field: string, message: string];

/** Reports what a character or location lacks. */
function findMissing(
  subject: SceneReference,
  hasStory: boolean,
  idField: "character_id" | "location_id",
): readonly Problem[] {
  const otherField = idField === "character_id" ? "location_id" : "character_id";
  if (subject[otherField] !== undefined) return [[otherField, `must be ${idField} here`]];
  if (subject[idField] !== undefined) {
    return (["description", "reference_url", "reference"] as const).flatMap((field): Problem[] =>
      subject[field] === undefined ? [] : [[field, `must be omitted beside ${idField}`]],
    );
  }
  if (subject.name === "") return [["name", "is required"]];
  if (hasStory && isOfStory(subject)) return [];
  return [
    ...(subject.description === undefined ? [["description", "is required"] as const] : []),
    ...(hasReference(subject) ? [] : [["reference", "is required, or reference_url"] as const]),
    ...(subject.state === undefined
      ? []
      : [
          [
            "state",
            "must be omitted without story_job_id and character_id, and beside a description",
          ] as const,
        ]),
  ];
}

/** Body of `POST /v1/generate/scene`: one scene with the references of an earlier story. */
export const sceneRequest = refineSize(
  z.strictObject({
    model: optional(modelId)
      .transform((id) => id ?? "")
      .meta({ description: "An `id` of `GET /v1/models`. Default: the story's." }),
    story_job_id: optional(z.uuid().toLowerCase()).meta({
      description:
        "The id of a completed story that the scene belongs to. Its model, style, setting, negative prompt, aspect ratio and image size are the defaults, and its characters and locations are used by their names.",
    }),
    prompt: prompt.meta({ description: "What happens in the scene." }),
    style: storyStyle,
    setting: storySetting,
    characters: optional(z.array(shortReference).max(10)),
    location: optional(shortReference),
    aspect_ratio: optional(aspectRatio),
    image_size: optional(imageSize),
    ...exactSize,
    strictness: strictnessOfRequest,
    raw_prompts: rawPrompts,
    after,
    ...imageOptions,
  }),
)
  .superRefine((body, context) => {
    const hasStory = body.story_job_id !== undefined;
    if (body.model === "" && !hasStory) {
      context.addIssue({ code: "custom", path: ["model"], message: "is required" });
    }
    const subjects = [
      ...(body.characters ?? []).map(
        (one, index) => [`characters.${index}`, one, "character_id"] as const,
      ),
      ...(body.location === undefined ? [] : [["location", body.location, "location_id"] as const]),
    ];
    for (const [path, subject, idField] of subjects) {
      for (const [field, message] of findMissing(subject, hasStory, idField)) {
        context.addIssue({ code: "custom", path: [...path.split("."), field], message });
      }
    }
  })
  .meta({ id: "SceneRequest" });
export type SceneRequest = z.infer<typeof sceneRequest>;

export const scene = {
  request: sceneRequest,
  kind: "image",
  task: null,
  method: "generateScene",
  summary: "Generate a single scene",
  description:
    "Makes one scene with the characters and the location of an earlier story: by their names with `story_job_id`, by the ids of kept ones, or by descriptions and images. Response, waiting and job are those of `POST /v1/generate/image`.",
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
    story: [
      "One more scene of a story",
      {
        story_job_id: exampleJobId,
        prompt: "Mira waits at the pier for the boat",
        characters: [{ name: "Mira" }],
        location: { name: "harbour" },
      },
    ],
  },
  errors: ["duplicate_name", "unknown_character", "unknown_state", "unknown_location"],
  tool: {
    name: "generate_scene",
    title: "Generate a scene",
    description:
      "Makes one scene with the characters and the location of an earlier story, to repeat or continue it without its other images. With story_job_id, names are enough. Answers and charges like generate_image.",
  },
  command: { name: "scene", summary: "make one scene of an earlier story, and save it" },
} as const satisfies OperationDefinition<SceneRequest>;
