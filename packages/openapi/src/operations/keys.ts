import {
  apiKeyList,
  changedKey,
  createKeyRequest,
  mintedKey,
  rotateKeyRequest,
  updateKeyRequest,
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, jsonResponse } from "./responses.ts";

const tags = ["Keys"];
const keyId = "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41";
const path = z.strictObject({
  id: z.uuid().meta({ description: "The id of a key.", examples: [keyId] }),
});

const sample = {
  id: keyId,
  mode: "live" as const,
  name: "Claude on my laptop",
  last_four: "x7Qd",
  scopes: ["generate" as const],
  models: null,
  budget: { eur: "5.00", period: "month" as const },
  spent_eur: "1.24",
  expires_at: "2027-01-01T00:00:00.000Z",
  created_at: "2026-11-21T10:00:00.000Z",
  last_used_at: "2026-11-21T10:05:00.000Z",
  revoked_at: null,
  created_by: "019a9f2f-11aa-7c3d-8b5e-2f6071829304",
};
const minted = {
  ...sample,
  spent_eur: "0.00",
  last_used_at: null,
  key: "atl_live_2vJx0pQm7RkT4cN8sYbW1hLdZ6gF3e5uXaVx7Qd",
};

const body = (schema: z.ZodType, example: object) => ({
  content: { "application/json": { schema, examples: { request: { value: example } } } },
});

const changed = (description: string) =>
  jsonResponse(
    description,
    {
      schema: changedKey,
      examples: examples({
        key: ["A key", { ...sample, ended: { keys: 2, webhooks: 1, sessions: 0 } }],
      }),
    },
    rateHeaders,
  );

const withKey = (description: string) =>
  jsonResponse(
    description,
    { schema: mintedKey, examples: examples({ key: ["A key, shown once", minted] }) },
    rateHeaders,
  );

const bodyErrors = [...keyedErrors, "request_too_large", "unsupported_media_type"] as const;

/** `/v1/keys`. */
export function keyOperations(): ZodOpenApiPathsObject {
  return {
    "/v1/keys": {
      get: {
        operationId: "listKeys",
        tags,
        summary: "List keys",
        description:
          "The keys of the account, newest first, revoked ones included. Needs the scope `manage`.",
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The keys.",
            {
              schema: apiKeyList,
              examples: examples({ keys: ["One key", { keys: [sample] }] }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
      post: {
        operationId: "createKey",
        tags,
        summary: "Create a key",
        description:
          "A key with scopes, models, a budget and an expiry of its own. What is left out is as with the key that asks. Needs the scope `manage` and a key without a budget; a key can't give more than it has. The new key belongs to the key that asks, and ends with it.",
        parameters: parameterReferences(["RequestId"]),
        requestBody: body(createKeyRequest, {
          name: "Claude on my laptop",
          scopes: ["generate"],
          budget: { eur: "5.00", period: "month" },
          expires_at: "2027-01-01T00:00:00Z",
        }),
        responses: {
          "201": withKey("The key. It is shown only in this response."),
          ...errorResponses([...bodyErrors, "too_many_keys"], "keyed"),
        },
      },
    },
    "/v1/keys/{id}": {
      patch: {
        operationId: "updateKey",
        tags,
        summary: "Change a key",
        description:
          "Changes what the body names; null removes models, budget or expiry. A lower budget affects new requests only. Keys that it created are reduced with it. Needs the scope `manage` and no fewer rights than that key.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        requestBody: body(updateKeyRequest, { budget: { eur: "10.00", period: "month" } }),
        responses: {
          "200": changed("The key as it is now, and what ended with its earlier rights."),
          ...errorResponses([...bodyErrors, "key_not_found"], "keyed"),
        },
      },
      delete: {
        operationId: "revokeKey",
        tags,
        summary: "Revoke a key",
        description:
          "Refuses the key from now on, and ends what it created: keys, webhooks and sessions of Studio. Jobs that it requested are finished. Needs the scope `manage` and no fewer rights than that key.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": changed("The revoked key, and what ended with it."),
          ...errorResponses([...keyedErrors, "key_not_found"], "keyed"),
        },
      },
    },
    "/v1/keys/{id}/rotate": {
      post: {
        operationId: "rotateKey",
        tags,
        summary: "Rotate a key",
        description:
          "Replaces the key by a new one with the same id, limits and spending. The old one works for `grace_hours`, but may not manage. What the key created stays. Needs the scope `manage` and no fewer rights than that key.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        requestBody: body(rotateKeyRequest, { grace_hours: 24 }),
        responses: {
          "200": withKey("The new key. It is shown only in this response."),
          ...errorResponses([...bodyErrors, "key_not_found"], "keyed"),
        },
      },
    },
  };
}
