import * as z from "zod";
import {
  apiKeyList,
  changedKey,
  createKeyRequest,
  mintedKey,
  rotateKeyRequest,
  updateKeyRequest,
} from "../keys.ts";
import { endpoint, json } from "./endpoint.ts";

const tag = "Keys";
const keyId = "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41";
const params = { id: z.uuid().meta({ description: "The id of a key.", examples: [keyId] }) };

const sample = {
  id: keyId,
  mode: "live",
  name: "Claude on my laptop",
  last_four: "x7Qd",
  scopes: ["generate"],
  models: null,
  budget: { eur: "5.00", period: "month" },
  spent_eur: "1.24",
  budget_id: null,
  expires_at: "2027-01-01T00:00:00.000Z",
  created_at: "2026-11-21T10:00:00.000Z",
  last_used_at: "2026-11-21T10:05:00.000Z",
  revoked_at: null,
  created_by: "019a9f2f-11aa-7c3d-8b5e-2f6071829304",
  member_id: null,
};
const minted = {
  ...sample,
  spent_eur: "0.00",
  last_used_at: null,
  key: "atl_live_2vJx0pQm7RkT4cN8sYbW1hLdZ6gF3e5uXaVx7Qd",
};

const changed = (description: string) =>
  json(description, changedKey, {
    key: ["A key", { ...sample, ended: { keys: 2, webhooks: 1, sessions: 0 } }],
  });
const withKey = (description: string) =>
  json(description, mintedKey, { key: ["A key, shown once", minted] });

export const listKeys = endpoint({
  id: "listKeys",
  route: "GET /v1/keys",
  tag,
  summary: "List keys",
  description:
    "The keys of the account, newest first, revoked ones included. Needs the scope `manage`.",
  scope: ["manage"],
  results: { 200: json("The keys.", apiKeyList, { keys: ["One key", { keys: [sample] }] }) },
});

export const createKey = endpoint({
  id: "createKey",
  route: "POST /v1/keys",
  tag,
  summary: "Create a key",
  description:
    "A key with scopes, models, a budget and an expiry of its own. What is left out is as with the key that asks. Needs the scope `manage` and a key without a budget; a key can't give more than it has. The new key belongs to the key that asks, and ends with it.",
  scope: ["manage"],
  body: {
    schema: createKeyRequest,
    examples: {
      request: [
        null,
        {
          name: "Claude on my laptop",
          scopes: ["generate"],
          budget: { eur: "5.00", period: "month" },
          expires_at: "2027-01-01T00:00:00Z",
        },
      ],
    },
  },
  results: { 201: withKey("The key. It is shown only in this response.") },
  errors: ["too_many_keys"],
});

export const updateKey = endpoint({
  id: "updateKey",
  route: "PATCH /v1/keys/{id}",
  tag,
  summary: "Change a key",
  description:
    "Changes what the body names; null removes models, budget, shared budget or expiry. A lower budget affects new requests only. Keys that it created are reduced with it. Needs the scope `manage` and no fewer rights than that key.",
  scope: ["manage"],
  params,
  body: {
    schema: updateKeyRequest,
    examples: { request: [null, { budget: { eur: "10.00", period: "month" } }] },
  },
  results: { 200: changed("The key as it is now, and what ended with its earlier rights.") },
  errors: ["key_not_found"],
});

export const revokeKey = endpoint({
  id: "revokeKey",
  route: "DELETE /v1/keys/{id}",
  tag,
  summary: "Revoke a key",
  description:
    "Refuses the key from now on, and ends what it created: keys, webhooks and sessions of Studio. Jobs that it requested are finished. Needs the scope `manage` and no fewer rights than that key.",
  scope: ["manage"],
  params,
  results: { 200: changed("The revoked key, and what ended with it.") },
  errors: ["key_not_found"],
});

export const rotateKey = endpoint({
  id: "rotateKey",
  route: "POST /v1/keys/{id}/rotate",
  tag,
  summary: "Rotate a key",
  description:
    "Replaces the key by a new one with the same id, limits and spending. The old one works for `grace_hours`, but may not manage. What the key created stays. Needs the scope `manage` and no fewer rights than that key.",
  scope: ["manage"],
  params,
  body: {
    schema: rotateKeyRequest,
    examples: { request: [null, { grace_hours: 24 }] },
    isOptional: true,
  },
  results: { 200: withKey("The new key. It is shown only in this response.") },
  errors: ["key_not_found"],
});

/** `/v1/keys`. */
export const keyEndpoints = [listKeys, createKey, updateKey, revokeKey, rotateKey] as const;
