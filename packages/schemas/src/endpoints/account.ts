import * as z from "zod";
import { updateAccountRequest } from "../account.ts";
import { account, type Account } from "../responses.ts";
import { accountSecretQuery, accountSecretRequest, accountWebhookSecret } from "../webhooks.ts";
import { endpoint, json } from "./endpoint.ts";

const sample: Account = {
  id: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f40",
  name: "Picture desk",
  balance_eur: "9.99",
  held_eur: "0.04",
  strictness: "normal",
  retention_hours: 12,
  max_retention_hours: 24,
  low_balance_eur: "5.00",
  language: "de",
  keep_starred: false,
  assistant: true,
  sharing: true,
  makers_read_all: false,
  disabled_webhooks: [],
};

const one = (description: string) =>
  json(description, account, { account: ["An account", sample] });
const secret = (description: string, previousUntil: string | null, mode = "live") => {
  const prefix = mode === "test" ? "whsec_test" : "whsec_";
  const value = {
    mode,
    secret: `${prefix}pZ0n1Q5Zz8m2Kc7e1y1XcZb3o6jJ0m1uK1Qy2w3E4r5=`,
    previous_valid_until: previousUntil,
  };
  return json(description, accountWebhookSecret, { secret: ["A secret", value] });
};

export const readAccount = endpoint({
  id: "readAccount",
  route: "GET /v1/account",
  tag: "Models and account",
  summary: "Read the account",
  description: "The account of the key, its balance and its settings.",
  scope: [],
  results: { 200: one("The account.") },
});

export const updateAccount = endpoint({
  id: "updateAccount",
  route: "PATCH /v1/account",
  tag: "Models and account",
  summary: "Change the account",
  description:
    "Changes the settings that the body names. Accepted jobs keep their strictness; a new retention applies to all images. Needs the scope `manage`.",
  scope: ["manage"],
  body: {
    schema: updateAccountRequest,
    examples: {
      alert: ["An alert, and a shorter retention", { low_balance_eur: "5", retention_hours: 12 }],
    },
  },
  results: { 200: one("The account as it is now.") },
});

export const readWebhookSecret = endpoint({
  id: "readWebhookSecret",
  route: "GET /v1/account/webhook-secret",
  tag: "Events",
  summary: "Read the secret for `webhook_url` of test keys",
  description:
    "The secret that signs deliveries to the `webhook_url` of requests of test keys. An account with a secret of live keys has it; the first request for it makes it. For test keys, and for live keys with the scope `manage`.",
  scope: [],
  query: accountSecretQuery,
  results: { 200: secret("The secret of test keys.", null, "test") },
  errors: ["webhook_secret_missing"],
});

export const createWebhookSecret = endpoint({
  id: "createWebhookSecret",
  route: "POST /v1/account/webhook-secret",
  tag: "Events",
  summary: "Create or rotate the secret for `webhook_url`",
  description:
    "Makes the secret that signs deliveries to the `webhook_url` of requests, as [Standard Webhooks](https://www.standardwebhooks.com) describes. When the account has one, it is replaced; for `grace_hours`, deliveries have signatures of both. Requests of test keys have a secret of their own (`mode`), which is made with the first one. Needs the scope `manage`, and for live keys a key without a budget, limited models or an expiry.",
  scope: ["manage"],
  body: {
    schema: accountSecretRequest,
    examples: { rotate: ["A grace period", { grace_hours: 24 }] },
    isOptional: true,
  },
  results: {
    200: secret("The new secret. It is shown only in this response.", "2026-11-23T10:00:00.000Z"),
    201: secret("The first secret. It is shown only in this response.", null),
  },
});

export const exportAccount = endpoint({
  id: "exportAccount",
  route: "GET /v1/account/export",
  tag: "Models and account",
  summary: "Export the account",
  description:
    "All data of the account as JSON lines. `type` says which other property a line has: `account`; `key`, without the key itself; `webhook`, without its secret; `job`, with its request and, for ten days, its `webhook`; `archived_job`, one that the operator archived; `transfer`, one for each transfer of the ledger; or `end` with the number of `lines` before it. The last line has the type `end`; without it, the export is incomplete. An account has one export at a time. Each 100 rows count as a request against the rate limit. Needs the scopes `read` and `manage`.",
  scope: ["read", "manage"],
  results: {
    200: {
      description: "The data, streamed.",
      headers: ["Content-Disposition"],
      content: {
        "application/x-ndjson": {
          schema: z.string(),
          examples: {
            lines: [
              "The first and the last line",
              `${JSON.stringify({ type: "account", account: sample })}\n{"type":"end","lines":1}\n`,
            ],
          },
        },
      },
    },
  },
});

/** `/v1/account`. */
export const accountEndpoints = [
  readAccount,
  updateAccount,
  readWebhookSecret,
  createWebhookSecret,
  exportAccount,
] as const;
