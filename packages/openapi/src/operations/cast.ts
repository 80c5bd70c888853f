import {
  changeCharacter,
  changeLocation,
  exampleCharacterId,
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
  type OperationError,
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, jobHeaders, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { jobId, type Samples } from "@atelier/schemas/endpoints";
import { examples, jsonResponse } from "./responses.ts";

const createErrors = [
  ...keyedErrors,
  "request_too_large",
  "unsupported_media_type",
  "insufficient_credit",
  "key_budget_exhausted",
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
] as const satisfies readonly OperationError[];

const changeErrors = [
  ...keyedErrors,
  "request_too_large",
  "unsupported_media_type",
  "file_not_found",
  "images_in_use",
  "keep_quota_exceeded",
  "reference_unreachable",
  "content_policy_violation",
  "content_illegal",
  "provider_unavailable",
] as const satisfies readonly OperationError[];

type Examples = Readonly<Record<string, readonly [summary: string, value: unknown]>>;

/** The differences between the operations of characters and those of locations. */
interface MemberDocumentation {
  readonly kind: MemberKind;
  readonly title: "Character" | "Location";
  readonly request: z.ZodType;
  readonly member: z.ZodType;
  readonly list: z.ZodType;
  readonly sample: KeptCharacter | KeptLocation;
  readonly requests: Examples;
  readonly change: z.ZodType;
  readonly changes: Examples;
}

/** `/v1/characters` and `/v1/locations`. */
export function castOperations(samples: Samples): ZodOpenApiPathsObject {
  const { harbour, mira } = createCast(samples);
  return {
    ...memberOperations(
      {
        kind: "character",
        title: "Character",
        request: newCharacter,
        member: keptCharacter,
        list: keptCharacterList,
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
        change: changeCharacter,
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
      },
      samples,
    ),
    ...memberOperations(
      {
        kind: "location",
        title: "Location",
        request: newLocation,
        member: keptLocation,
        list: keptLocationList,
        sample: harbour,
        requests: { story: ["Of a story", { story_job_id: jobId, name: "harbour" }] },
        change: changeLocation,
        changes: { texts: ["Another name", { name: "old harbour" }] },
      },
      samples,
    ),
  };
}

function createCast({ upload }: Samples): {
  readonly mira: KeptCharacter;
  readonly harbour: KeptLocation;
} {
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
  return {
    harbour,
    mira: {
      ...harbour,
      id: exampleCharacterId,
      name: "Mira",
      description: "a woman with long red hair and a green coat",
      states: [{ state: "rain", description: "wearing a yellow raincoat", ...image }],
    },
  };
}

function memberOperations(
  documentation: MemberDocumentation,
  samples: Samples,
): ZodOpenApiPathsObject {
  const { kind, title, request, member, list, sample, requests, change, changes } = documentation;
  const tags = ["Characters"];
  const plural = `${kind}s`;
  const notFound = `${kind}_not_found` as const;
  const unknownName = `unknown_${kind}` as const;
  const path = z.strictObject({
    id: memberId.meta({ description: `The id of a ${kind}.`, examples: [sample.id] }),
  });
  const response = { schema: member, examples: examples({ [kind]: [`A ${kind}`, sample] }) };
  return {
    [`/v1/${plural}`]: {
      post: {
        operationId: `create${title}`,
        tags,
        summary: `Keep a ${kind}`,
        description: `Keeps a ${kind} of a completed story, or one that is described and shown by an image, until it is deleted: its images outlive those of the story. With \`model\`, a job draws it from its description, at the price of an image for each look; its \`status\` is then \`pending\` until the job is completed. They count towards the quota of kept images. Stories and scenes use it by its \`${kind}_id\`. An account may have 1,000 characters and locations.`,
        parameters: parameterReferences(["RequestId", "MemberIdempotencyKey"]),
        requestBody: {
          required: true,
          content: { "application/json": { schema: request, examples: examples(requests) } },
        },
        responses: {
          "201": jsonResponse(`The ${kind}.`, response, [...rateHeaders, "Idempotent-Replayed"]),
          "202": jsonResponse(
            `A job draws the ${kind}: poll it.`,
            {
              schema: memberAccepted,
              examples: examples({
                accepted: ["Accepted", { id: sample.id, ...samples.accepted }],
              }),
            },
            [...jobHeaders, ...rateHeaders, "Location", "Retry-After"],
          ),
          ...errorResponses([...createErrors, unknownName, notFound], "generation"),
        },
      },
      get: {
        operationId: `list${title}s`,
        tags,
        summary: `List ${plural}`,
        description: `The ${plural} that the key may read, the newest first; those of test keys with a test key.`,
        requestParams: { query: listMembersQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            `A page of ${plural}.`,
            {
              schema: list,
              examples: examples({
                page: [`One ${kind}`, { [plural]: [sample], next_cursor: null }],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
    [`/v1/${plural}/{id}`]: {
      get: {
        operationId: `read${title}`,
        tags,
        summary: `Read a ${kind}`,
        description: `Returns the ${kind} with new signed URLs.`,
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(`The ${kind}.`, response, rateHeaders),
          ...errorResponses([...keyedErrors, notFound], "keyed"),
        },
      },
      patch: {
        operationId: `change${title}`,
        tags,
        summary: `Change a ${kind}`,
        description: `Changes what the body names; the rest stays. New images are copied, and those that they replace are deleted. Unfinished jobs that use the ${kind} finish with the texts and images that they were accepted with. The change can be repeated: an image that it names is copied again, and a state of null that is gone stays gone, and so does an image that was moved out of it. 409 \`images_in_use\` while a job draws the ${kind}.`,
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          required: true,
          content: { "application/json": { schema: change, examples: examples(changes) } },
        },
        responses: {
          "200": jsonResponse(`The changed ${kind}.`, response, rateHeaders),
          ...errorResponses([...changeErrors, notFound], "keyed"),
        },
      },
      delete: {
        operationId: `delete${title}`,
        tags,
        summary: `Delete a ${kind}`,
        description: `Deletes the ${kind} with its images; stories that were made with it stay. 409 while an unfinished job uses it.`,
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "204": {
            description: `The ${kind} is deleted.`,
            headers: headerReferences(["X-Request-Id", ...rateHeaders]),
          },
          ...errorResponses([...keyedErrors, notFound, "images_in_use"], "keyed"),
        },
      },
    },
  };
}
