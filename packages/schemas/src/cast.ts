import * as z from "zod";
import { cursor, description, name, optional, pageSize, timestamp } from "./fields.ts";
import { stateKey } from "./operations/story-fields.ts";
import { imageSource, type ImageSource } from "./request-fields.ts";

/** Characters and locations that an account keeps until it deletes them. */
export const memberKinds = ["character", "location"] as const;
export type MemberKind = (typeof memberKinds)[number];

/** Characters and locations that an account may have. */
export const maxMembers = 1_000;

/** Other looks that a character may have. */
export const maxStates = 5;

/** The id of a character or location, in lower case, as stored. */
export const memberId = z.uuid().toLowerCase();

const storyJobId = optional(z.uuid().toLowerCase()).meta({
  description:
    "The id of a completed story, with the `name` that it uses. Description and images are those of the story.",
});

const reference = optional(imageSource).meta({
  description:
    "Its image: an upload, an image of a job, or a signed URL of this service. Required without `story_job_id`.",
});

/** The source of a new character or location. */
interface NewMember {
  readonly story_job_id?: string | undefined;
  readonly description?: string | undefined;
  readonly reference?: ImageSource | undefined;
  readonly states?: object | undefined;
}

/** Checks that it comes either from a story or from a description and an image. */
function refineSource(member: NewMember, context: z.RefinementCtx): void {
  const add = (field: string, message: string) => {
    context.addIssue({ code: "custom", path: [field], message });
  };
  for (const field of ["description", "reference"] as const) {
    const isGiven = member[field] !== undefined;
    if (member.story_job_id === undefined && !isGiven) add(field, "is required");
    if (member.story_job_id !== undefined && isGiven) add(field, ofStory);
  }
  if (member.story_job_id !== undefined && member.states !== undefined) add("states", ofStory);
}

const ofStory = "must be omitted beside story_job_id";

const newState = z.strictObject({
  description: description.meta({ description: "How the character looks in this state." }),
  reference: imageSource,
});

/** Body of `POST /v1/characters`. */
export const newCharacter = z
  .strictObject({
    name: name.meta({ examples: ["Mira"] }),
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
        .meta({ maxProperties: maxStates }),
    ).meta({ description: "Other looks of the character, by the keys that scenes use." }),
  })
  .superRefine(refineSource)
  .meta({ id: "NewCharacter" });
export type NewCharacter = z.infer<typeof newCharacter>;

/** Body of `POST /v1/locations`. */
export const newLocation = z
  .strictObject({
    name: name.meta({ examples: ["Harbour"] }),
    story_job_id: storyJobId,
    description: optional(description).meta({ description: "How it looks." }),
    reference,
  })
  .superRefine(refineSource)
  .meta({ id: "NewLocation" });
export type NewLocation = z.infer<typeof newLocation>;

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
      "`pending`: its images are being copied, and can be used. `refused`: the storage lost them before that; delete it.",
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

const nextCursor = z.string().nullable().meta({ description: "Null on the last page." });

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
