import {
  account,
  accountSecretQuery,
  accountSecretRequest,
  accountWebhookSecret,
  updateAccountRequest,
  type Account,
  type KeyMode,
} from "@atelier/schemas";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import { examples, jsonResponse } from "./responses.ts";

/** `/v1/account`. */
export function accountOperations(): ZodOpenApiPathsObject {
  return {
    "/v1/account": {
      get: {
        operationId: "readAccount",
        tags: ["Models and account"],
        summary: "Read the account",
        description: "The account of the key, its balance and its settings.",
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": accountResponse("The account."),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
      patch: {
        operationId: "updateAccount",
        tags: ["Models and account"],
        summary: "Change the account",
        description:
          "Changes the settings that the body names. Accepted jobs keep their strictness; a new retention applies to all images. Needs the scope `manage`.",
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: updateAccountRequest,
              examples: examples({
                alert: [
                  "An alert, and a shorter retention",
                  { low_balance_eur: "5", retention_hours: 12 },
                ],
              }),
            },
          },
        },
        responses: {
          "200": accountResponse("The account as it is now."),
          ...errorResponses(
            [...keyedErrors, "request_too_large", "unsupported_media_type"],
            "keyed",
          ),
        },
      },
    },
    "/v1/account/webhook-secret": {
      get: {
        operationId: "readWebhookSecret",
        tags: ["Events"],
        summary: "Read the secret for `webhook_url` of test keys",
        description:
          "The secret that signs deliveries to the `webhook_url` of requests of test keys. An account with a secret of live keys has it; the first request for it makes it. For test keys, and for live keys with the scope `manage`.",
        parameters: parameterReferences(["RequestId"]),
        requestParams: { query: accountSecretQuery },
        responses: {
          "200": secretResponse("The secret of test keys.", null, "test"),
          ...errorResponses([...keyedErrors, "webhook_secret_missing"], "keyed"),
        },
      },
      post: {
        operationId: "createWebhookSecret",
        tags: ["Events"],
        summary: "Create or rotate the secret for `webhook_url`",
        description:
          "Makes the secret that signs deliveries to the `webhook_url` of requests, as [Standard Webhooks](https://www.standardwebhooks.com) describes. When the account has one, it is replaced; for `grace_hours`, deliveries have signatures of both. Requests of test keys have a secret of their own (`mode`), which is made with the first one. Needs the scope `manage`, and for live keys a key without a budget, limited models or an expiry.",
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          content: {
            "application/json": {
              schema: accountSecretRequest,
              examples: examples({ rotate: ["A grace period", { grace_hours: 24 }] }),
            },
          },
        },
        responses: {
          "200": secretResponse(
            "The new secret. It is shown only in this response.",
            "2026-11-23T10:00:00.000Z",
          ),
          "201": secretResponse("The first secret. It is shown only in this response.", null),
          ...errorResponses(
            [...keyedErrors, "request_too_large", "unsupported_media_type"],
            "keyed",
          ),
        },
      },
    },
    "/v1/account/export": {
      get: {
        operationId: "exportAccount",
        tags: ["Models and account"],
        summary: "Export the account",
        description:
          "All data of the account as JSON lines. `type` says which other property a line has: `account`; `key`, without the key itself; `webhook`, without its secret; `job`, with its request and, for ten days, its `webhook`; `archived_job`, one that the operator archived; `transfer`, one for each transfer of the ledger; or `end` with the number of `lines` before it. The last line has the type `end`; without it, the export is incomplete. An account has one export at a time. Each 100 rows count as a request against the rate limit. Needs the scopes `read` and `manage`.",
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": {
            description: "The data, streamed.",
            headers: headerReferences(["X-Request-Id", "Content-Disposition", ...rateHeaders]),
            content: {
              "application/x-ndjson": {
                schema: { type: "string" },
                examples: examples({
                  lines: [
                    "The first and the last line",
                    `${JSON.stringify({ type: "account", account: sample })}\n{"type":"end","lines":1}\n`,
                  ],
                }),
              },
            },
          },
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
  };
}

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
  disabled_webhooks: [],
};

function secretResponse(
  description: string,
  previousValidUntil: string | null,
  mode: KeyMode = "live",
) {
  const value = {
    mode,
    secret: `whsec_${mode === "test" ? "test" : ""}pZ0n1Q5Zz8m2Kc7e1y1XcZb3o6jJ0m1uK1Qy2w3E4r5=`,
    previous_valid_until: previousValidUntil,
  };
  const content = {
    schema: accountWebhookSecret,
    examples: examples({ secret: ["A secret", value] }),
  };
  return jsonResponse(description, content, rateHeaders);
}

function accountResponse(description: string) {
  const content = { schema: account, examples: examples({ account: ["An account", sample] }) };
  return jsonResponse(description, content, rateHeaders);
}
