import type * as z from "zod";
import {
  changeCharacter,
  changeLocation,
  keptCharacter,
  keptCharacterList,
  keptLocation,
  keptLocationList,
  listMembersQuery,
  memberAccepted,
  memberId,
  newCharacter,
  newLocation,
  type KeptCharacter,
  type KeptLocation,
  type MemberKind,
} from "../cast.ts";
import { exampleCharacterId } from "../request-fields.ts";
import { endpoint, json, type Examples } from "./endpoint.ts";
import { createSamples, exampleUrl, jobId } from "./samples.ts";

const tag = "Characters";
const samples = createSamples(exampleUrl);
const { upload } = samples;

const image = {
  reference_url: upload.url.replace("uploads", "kept"),
  expires_at: upload.expires_at,
  width: 768,
  height: 1_024,
};
const harbour: KeptLocation = {
  id: "019a9f44-7d1c-7e52-8a36-5b0c4d9e2f17",
  name: "harbour",
  status: "kept",
  description: "a small harbour",
  ...image,
  size_bytes: 1_204_118,
  story_job_id: jobId,
  created_at: "2026-11-21T10:05:00.000Z",
};
const mira: KeptCharacter = {
  ...harbour,
  id: exampleCharacterId,
  name: "Mira",
  description: "a woman with long red hair and a green coat",
  states: [{ state: "rain", description: "wearing a yellow raincoat", ...image }],
};

/** Differences between the operations of characters and those of locations. */
interface MemberRecord<
  Kind extends MemberKind,
  Created extends z.ZodType,
  Kept extends z.ZodType,
  List extends z.ZodType,
  Changed extends z.ZodType,
> {
  readonly kind: Kind;
  readonly title: "Character" | "Location";
  readonly created: Created;
  readonly requests: Examples;
  readonly kept: Kept;
  readonly list: List;
  readonly changed: Changed;
  readonly changes: Examples;
  readonly sample: KeptCharacter | KeptLocation;
}

function memberEndpoints<
  const Kind extends MemberKind,
  Created extends z.ZodType,
  Kept extends z.ZodType,
  List extends z.ZodType,
  Changed extends z.ZodType,
>(record: MemberRecord<Kind, Created, Kept, List, Changed>) {
  const { kind, title, created, requests, kept, list, changed, changes, sample } = record;
  const notFound = `${kind}_not_found` as const;
  const params = {
    id: memberId.meta({ description: `The id of a ${kind}.`, examples: [sample.id] }),
  };
  const one = (description: string, headers: readonly string[] = []) =>
    json(description, kept, { [kind]: [`A ${kind}`, sample] }, headers);
  const create = endpoint({
    id: `create${title}`,
    route: `POST /v1/${kind}s`,
    tag,
    summary: `Keep a ${kind}`,
    description: `Keeps a ${kind} of a completed story, or one that is described and shown by an image, until it is deleted: its images outlive those of the story. With \`model\`, a job draws it from its description, at the price of an image for each look; its \`status\` is then \`pending\` until the job is completed. They count towards the quota of kept images. Stories and scenes use it by its \`${kind}_id\`. An account may have 1,000 characters and locations.`,
    limit: "generate",
    scope: ["generate"],
    headers: ["MemberIdempotencyKey"],
    body: { schema: created, examples: requests },
    createsJob: true,
    results: {
      201: one(`The ${kind}.`, ["Idempotent-Replayed"]),
      202: json(
        `A job draws the ${kind}: poll it.`,
        memberAccepted,
        { accepted: ["Accepted", { id: sample.id, ...samples.accepted }] },
        ["X-Service-Job-Id", "Idempotent-Replayed", "Location", "Retry-After"],
      ),
    },
    errors: [
      "insufficient_credit",
      "key_budget_exhausted",
      "budget_exhausted",
      "model_not_found",
      "keep_quota_exceeded",
      "idempotency_in_progress",
      "model_not_capable",
      "reference_unreachable",
      "content_policy_violation",
      "idempotency_key_reused",
      "too_many_jobs",
      "content_illegal",
      "provider_unavailable",
      `unknown_${kind}`,
      notFound,
    ],
  });
  const listAll = endpoint({
    id: `list${title}s`,
    route: `GET /v1/${kind}s`,
    tag,
    summary: `List ${kind}s`,
    description: `The ${kind}s that the key may read, the newest first; those of test keys with a test key.`,
    scope: [],
    query: listMembersQuery,
    results: {
      200: json(`A page of ${kind}s.`, list, {
        page: [`One ${kind}`, { [`${kind}s`]: [sample], next_cursor: null }],
      }),
    },
  });
  const read = endpoint({
    id: `read${title}`,
    route: `GET /v1/${kind}s/{id}`,
    tag,
    summary: `Read a ${kind}`,
    description: `Returns the ${kind} with new signed URLs.`,
    scope: [],
    params,
    results: { 200: one(`The ${kind}.`) },
    errors: [notFound],
  });
  const change = endpoint({
    id: `change${title}`,
    route: `PATCH /v1/${kind}s/{id}`,
    tag,
    summary: `Change a ${kind}`,
    description: `Changes what the body names; the rest stays. New images are copied, and those that they replace are deleted. Unfinished jobs that use the ${kind} finish with the texts and images that they were accepted with. The change can be repeated: an image that it names is copied again, and a state of null that is gone stays gone, and so does an image that was moved out of it. 409 \`images_in_use\` while a job draws the ${kind}.`,
    limit: "generate",
    scope: ["generate"],
    changes: kind,
    params,
    body: { schema: changed, examples: changes },
    results: { 200: one(`The changed ${kind}.`) },
    errors: [
      "file_not_found",
      "images_in_use",
      "keep_quota_exceeded",
      "reference_unreachable",
      "content_policy_violation",
      "content_illegal",
      "provider_unavailable",
      notFound,
    ],
  });
  const remove = endpoint({
    id: `delete${title}`,
    route: `DELETE /v1/${kind}s/{id}`,
    tag,
    summary: `Delete a ${kind}`,
    description: `Deletes the ${kind} with its images; stories that were made with it stay. 409 while an unfinished job uses it.`,
    scope: ["generate"],
    changes: kind,
    params,
    results: { 204: `The ${kind} is deleted.` },
    errors: [notFound, "images_in_use"],
  });
  return { create, listAll, read, change, remove };
}

/** `/v1/characters`. */
export const characters = memberEndpoints({
  kind: "character",
  title: "Character",
  created: newCharacter,
  kept: keptCharacter,
  list: keptCharacterList,
  changed: changeCharacter,
  sample: mira,
  requests: {
    story: ["Of a story", { story_job_id: jobId, name: "Mira" }],
    upload: [
      "Of an upload",
      {
        name: "Mira",
        description: "a woman with long red hair and a green coat",
        reference: { upload_id: samples.upload.id },
      },
    ],
    drawn: [
      "Drawn from its description",
      {
        name: "Mira",
        description: "a woman with long red hair and a green coat",
        states: { rain: { description: "wearing a yellow raincoat" } },
        model: "builtin-illustrator",
        style: "watercolour",
      },
    ],
  },
  changes: {
    states: [
      "Another coat, and one look less",
      {
        description: "a woman with long red hair and a blue coat",
        reference: { upload_id: samples.upload.id },
        states: { rain: null },
      },
    ],
    state: [
      "Another look",
      {
        states: {
          snow: {
            description: "wearing a thick white coat",
            reference: { upload_id: samples.upload.id },
          },
        },
      },
    ],
  },
});

/** `/v1/locations`. */
export const locations = memberEndpoints({
  kind: "location",
  title: "Location",
  created: newLocation,
  kept: keptLocation,
  list: keptLocationList,
  changed: changeLocation,
  sample: harbour,
  requests: { story: ["Of a story", { story_job_id: jobId, name: "harbour" }] },
  changes: { texts: ["Another name", { name: "old harbour" }] },
});

export const castEndpoints = [
  characters.create,
  characters.listAll,
  characters.read,
  characters.change,
  characters.remove,
  locations.create,
  locations.listAll,
  locations.read,
  locations.change,
  locations.remove,
] as const;
