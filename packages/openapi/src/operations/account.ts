import { account, updateAccountRequest, type Account } from "@atelier/schemas";
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
    "/v1/account/export": {
      get: {
        operationId: "exportAccount",
        tags: ["Models and account"],
        summary: "Export the account",
        description:
          "All data of the account as JSON lines. `type` says which other property a line has: `account`; `key`, without the key itself; `webhook`, without its secret; `job`, with its request; `transfer`, one for each transfer of the ledger; or `end` with the number of `lines` before it. The last line has the type `end`; without it, the export is incomplete. An account has one export at a time. Each 100 rows count as a request against the rate limit. Needs the scopes `read` and `manage`.",
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
  disabled_webhooks: [],
};

function accountResponse(description: string) {
  const content = { schema: account, examples: examples({ account: ["An account", sample] }) };
  return jsonResponse(description, content, rateHeaders);
}
