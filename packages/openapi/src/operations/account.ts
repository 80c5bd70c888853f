import { account, modelList } from "@atelier/schemas";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorAnswers, keyedErrors } from "../error-answers.ts";
import { rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import type { Samples } from "../sample-answers.ts";
import { examples, jsonAnswer } from "./answers.ts";

/** `GET /v1/models` and `GET /v1/account`. */
export function accountOperations({ models }: Samples): ZodOpenApiPathsObject {
  return {
    "/v1/models": {
      get: {
        operationId: "listModels",
        tags: ["Models and account"],
        summary: "List models",
        description: "The models that can be asked for, what they can do, and what they cost.",
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonAnswer(
            "All models.",
            { schema: modelList, examples: examples({ models: ["One model", { models }] }) },
            rateHeaders,
          ),
          ...errorAnswers(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/account": {
      get: {
        operationId: "readAccount",
        tags: ["Models and account"],
        summary: "Read the account",
        description: "Who the key belongs to, and what is left to spend.",
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonAnswer(
            "The account.",
            {
              schema: account,
              examples: examples({
                account: [
                  "An account",
                  {
                    id: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f40",
                    name: "Picture desk",
                    balance_eur: "9.99",
                    held_eur: "0.04",
                    strictness: "normal",
                  },
                ],
              }),
            },
            rateHeaders,
          ),
          ...errorAnswers(keyedErrors, "keyed"),
        },
      },
    },
  };
}
