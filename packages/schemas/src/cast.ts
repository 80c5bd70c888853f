import * as z from "zod";
import {
  cursor,
  description,
  modelId,
  newName,
  nextCursor,
  optional,
  pageSize,
  timestamp,
} from "./fields.ts";
import { maxStates, stateKey } from "./operations/story-fields.ts";
import { imageSource, seed, type ImageSource } from "./request-fields.ts";
import { jobAccepted } from "./responses.ts";

/** Characters and locations that an account keeps until it deletes them. */
export const memberKinds = ["character", "location"] as const;
export type MemberKind = (typeof memberKinds)[number];

/** The id of a character or location, in lower case, as stored. */
export const memberId = z.uuid().toLowerCase();

const storyJobId = optional(z.uuid().toLowerCase()).meta({
  description:
    "The id of a completed story, with the `name` that it uses. Description and images are those of the story.",
});

const reference = optional(imageSource).meta({
  description:
    "Its image: an upload, an image of a job, or a signed URL of this service. Required without `story_job_id` and `model`.",
});

/** How a character or location is drawn that has no image. */
const drawing = {
  model: optional(modelId).meta({
    description:
      "An `id` of `GET /v1/models` with `supports_multiturn`: it draws the images from the descriptions, at the price of an image each.",
  }),
  style: optional(description).meta({ description: "With `model`: the visual style." }),
  seed,
};

/** The source of a new character or location. */
interface NewMember {
  readonly story_job_id?: string | undefined;
  readonly description?: string | undefined;
  readonly reference?: ImageSource | undefined;
  readonly states?: Readonly<Record<string, { readonly reference?: unknown }>> | undefined;
  readonly model?: string | undefined;
  readonly style?: string | undefined;
  readonly seed?: number | undefined;
}

/** Checks that it comes from a story, from a description and an image, or from a description and a model. */
function refineSource(member: NewMember, context: z.RefinementCtx): void {
  const { story_job_id: storyId, model, description: given, states = {} } = member;
  const add = (path: string, message: string) => {
    context.addIssue({ code: "custom", path: path.split("."), message });
  };
  const refuse = (fields: readonly (keyof NewMember)[], beside: string) => {
    for (const field of fields) {
      if (member[field] !== undefined) add(field, `must be omitted ${beside}`);
    }
  };
  if (storyId !== undefined) {
    refuse(["description", "reference", "states", "model", "style", "seed"], "beside story_job_id");
    return;
  }
  if (given === undefined) add("description", "is required");
  if (model === undefined) {
    refuse(["style", "seed"], "without model");
    if (member.reference === undefined) add("reference", "is required without model");
  } else {
    refuse(["reference"], "beside model");
  }
  for (const [key, state] of Object.entries(states)) {
    const isGiven = state.reference !== undefined;
    if (isGiven === (model === undefined)) continue;
    const message = isGiven ? "must be omitted beside model" : "is required without model";
    context.addIssue({ code: "custom", path: ["states", key, "reference"], message });
  }
}

const newState = z.strictObject({
  description: description.meta({ description: "How the character looks in this state." }),
  reference: optional(imageSource).meta({ description: "Required without `model`." }),
});

/** Refuses keys that are distinct, but the same text in different Unicode forms. */
function refineKeys(states: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const key of Object.keys(states)) {
    const text = key.normalize("NFC");
    const message = `must be unique: "${text}" occurs more than once`;
    if (seen.has(text)) context.addIssue({ code: "custom", path: [key], message });
    seen.add(text);
  }
}

/** Body of `POST /v1/characters`. */
export const newCharacter = z
  .strictObject({
    name: newName.meta({ examples: ["Mira"] }),
    story_job_id: storyJobId,
    description: optional(description).meta({ description: "Its appearance." }),
    reference,
    states: optional(
      z
        .record(stateKey, newState)
        .refine(
          (states) => Object.keys(states).length <= maxStates,
          `must have at most ${maxStates} states`,
        )
        .superRefine(refineKeys)
        .meta({ maxProperties: maxStates }),
    ).meta({ description: "Other looks of the character, by the keys that scenes use." }),
    ...drawing,
  })
  .superRefine(refineSource)
  .meta({ id: "NewCharacter" });
export type NewCharacter = z.infer<typeof newCharacter>;

/** Body of `POST /v1/locations`. */
export const newLocation = z
  .strictObject({
    name: newName.meta({ examples: ["Harbour"] }),
    story_job_id: storyJobId,
    description: optional(description).meta({ description: "How it looks." }),
    reference,
    ...drawing,
  })
  .superRefine(refineSource)
  .meta({ id: "NewLocation" });
export type NewLocation = z.infer<typeof newLocation>;

const changed = {
  name: optional(newName).meta({ description: "Its new name." }),
  description: optional(description).meta({ description: "Its new appearance." }),
  reference: optional(imageSource).meta({
    description: "Its new image: an upload, an image of a job, or a signed URL of this service.",
  }),
};

const changedState = z.strictObject({
  description: optional(description).meta({
    description: "How the character looks in this state. Required for a new one.",
  }),
  reference: optional(imageSource).meta({ description: "Required for a new state." }),
});

/** States of a change: all of them may be replaced. */
const maxChangedStates = 2 * maxStates;

/** Body of `PATCH /v1/characters/{id}`: omitted properties and states stay unchanged. */
export const changeCharacter = z
  .strictObject({
    ...changed,
    states: optional(
      z
        .record(stateKey, changedState.nullable())
        .refine(
          (states) => Object.keys(states).length <= maxChangedStates,
          `must have at most ${maxChangedStates} states`,
        )
        .superRefine(refineKeys)
        .meta({ maxProperties: maxChangedStates }),
    ).meta({
      description: `States to add or change, by their keys; null removes one. At most ${maxStates} may remain.`,
    }),
  })
  .meta({ id: "ChangeCharacter" });
export type ChangeCharacter = z.infer<typeof changeCharacter>;

/** Body of `PATCH /v1/locations/{id}`: omitted properties stay unchanged. */
export const changeLocation = z.strictObject(changed).meta({ id: "ChangeLocation" });
export type ChangeLocation = z.infer<typeof changeLocation>;

const look = {
  description: z.string(),
  reference_url: z.url().optional().meta({ description: "A signed URL. Expires in 1 hour." }),
  expires_at: timestamp.optional().meta({ description: "When the signed URL expires." }),
  width: z.int().positive().optional().meta({ description: "In pixels." }),
  height: z.int().positive().optional(),
};

const member = {
  id: z.uuid(),
  name: z.string(),
  status: z.enum(["pending", "kept", "refused"]).meta({
    description:
      "`pending`: its images are being drawn, or copied; it can be used as soon as it has a `reference_url`. `refused`: its job was not completed, the quota had no room for its images, or the storage lost them; delete it.",
  }),
  ...look,
  size_bytes: z
    .int()
    .nonnegative()
    .meta({ description: "What its images count towards the quota of kept images." }),
  story_job_id: z.uuid().nullable().meta({ description: "The story that it comes from." }),
  created_at: timestamp,
};

export const keptCharacter = z
  .strictObject({
    ...member,
    states: z
      .array(z.strictObject({ state: z.string(), ...look }))
      .meta({ description: "Its other looks, in their order." }),
  })
  .meta({ id: "KeptCharacter", description: "A character that stays until it is deleted." });
export type KeptCharacter = z.infer<typeof keptCharacter>;

export const keptLocation = z
  .strictObject(member)
  .meta({ id: "KeptLocation", description: "A location that stays until it is deleted." });
export type KeptLocation = z.infer<typeof keptLocation>;

/** Query of `GET /v1/characters` and `GET /v1/locations`. */
export const listMembersQuery = z.strictObject({
  limit: pageSize.meta({ description: "Maximum number per page." }),
  cursor,
});

/** 202 of `POST /v1/characters` and `POST /v1/locations`: a job draws it. */
export const memberAccepted = z
  .strictObject({
    id: z.uuid().meta({ description: "The id of the character or location." }),
    ...jobAccepted.shape,
  })
  .meta({ id: "MemberAccepted", description: "It is drawn by a job, and kept when that is done." });
export type MemberAccepted = z.infer<typeof memberAccepted>;

export const keptCharacterList = z
  .strictObject({
    characters: z.array(keptCharacter).meta({ description: "The newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "KeptCharacterList" });
export type KeptCharacterList = z.infer<typeof keptCharacterList>;

export const keptLocationList = z
  .strictObject({
    locations: z.array(keptLocation).meta({ description: "The newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "KeptLocationList" });
export type KeptLocationList = z.infer<typeof keptLocationList>;
