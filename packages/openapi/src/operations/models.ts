import { modelList, oneModel, type Model, type OpenAIModel } from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import type { Samples } from "@atelier/schemas/endpoints";
import { examples, jsonResponse } from "./responses.ts";
import { azureQuery, readErrorResponses } from "./openai-responses.ts";

/** `/v1/models`. */
export function modelOperations({ models }: Samples): ZodOpenApiPathsObject {
  const list = { object: "list", models, data: models.map(forOpenAI) };
  const [first] = models.map((model) => ({ ...model, ...forOpenAI(model) }));
  const path = z.strictObject({
    id: z.string().meta({ description: "The id of a model.", examples: ["builtin-illustrator"] }),
  });
  return {
    "/v1/models": {
      get: {
        operationId: "listModels",
        tags: ["Models and account"],
        summary: "List models",
        description:
          "The models that the key may use, with their capabilities and prices in `models`, and in the format of OpenAI's API in `data`.",
        requestParams: { query: azureQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The models.",
            { schema: modelList, examples: examples({ models: ["One model", list] }) },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/models/{id}": {
      get: {
        operationId: "readModel",
        tags: ["Models and account"],
        summary: "Read a model",
        description:
          "One model, which the key may use, with the properties of `GET /v1/models` and of OpenAI's API. `id` can also be a name that the operator maps to a model. Errors have OpenAI's format.",
        requestParams: { path, query: azureQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The model.",
            { schema: oneModel, examples: examples({ model: ["A model", first] }) },
            rateHeaders,
          ),
          ...readErrorResponses([...keyedErrors, "model_not_found"]),
        },
      },
    },
  };
}

function forOpenAI({ id, provider }: Model): OpenAIModel {
  return { id, object: "model", created: 0, owned_by: provider };
}
