import * as z from "zod";
import type { OpenAIModel } from "../openai/openai-models.ts";
import { modelList, oneModel, type Model } from "../responses.ts";
import { endpoint, json } from "./endpoint.ts";
import { createSamples, exampleUrl } from "./samples.ts";

const tag = "Models and account";
const { models } = createSamples(exampleUrl);

/** Query parameters that clients of OpenAI on Azure send with every request. */
export const azureQuery = z.strictObject({
  "api-version": z.string().optional().meta({ description: "Accepted without effect." }),
});

export const listModels = endpoint({
  id: "listModels",
  route: "GET /v1/models",
  tag,
  summary: "List models",
  description:
    "The models that the key may use, with their capabilities and prices in `models`, and in the format of OpenAI's API in `data`.",
  limit: "polled",
  scope: [],
  ignoredQuery: azureQuery,
  results: {
    200: json("The models.", modelList, {
      models: ["One model", { object: "list", models, data: models.map(forOpenAI) }],
    }),
  },
});

export const readModel = endpoint({
  id: "readModel",
  route: "GET /v1/models/{id}",
  tag,
  summary: "Read a model",
  description:
    "One model, which the key may use, with the properties of `GET /v1/models` and of OpenAI's API. `id` can also be a name that the operator maps to a model. Errors have OpenAI's format.",
  limit: "polled",
  scope: [],
  params: {
    id: z.string().meta({ description: "The id of a model.", examples: ["builtin-illustrator"] }),
  },
  ignoredQuery: azureQuery,
  results: {
    200: json("The model.", oneModel, {
      model: ["A model", models.map((model) => ({ ...model, ...forOpenAI(model) }))[0]],
    }),
  },
  errors: ["model_not_found"],
  errorFormat: "openai",
});

function forOpenAI({ id, provider }: Model): OpenAIModel {
  return { id, object: "model", created: 0, owned_by: provider };
}

/** `/v1/models`. */
export const modelEndpoints = [listModels, readModel] as const;
