import { presentModel, type CatalogueEntry } from "@atelier/models";
import { AppError, type Model, type OpenAIModel } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";

/**
 * `GET /v1/models`: the models with their prices and the availability of their providers, for the clients
 * of this service and for those of OpenAI.
 */
export function listModels(dependencies: ApiDependencies) {
  return (_request: Request, response: Response): void => {
    const { catalogue, modelAliases } = dependencies;
    response.json({
      object: "list",
      models: modelsAtHand(dependencies),
      data: [
        ...catalogue.entries.map((entry) => presentForOpenAI(entry.id, entry)),
        ...modelAliases.exact.map(({ name, model }) =>
          presentForOpenAI(name, catalogue.find(model)),
        ),
      ],
    });
  };
}

/** `GET /v1/models/{id}`: one model, or the model of a name that the operator maps to it. */
export function readModel(dependencies: ApiDependencies) {
  const { catalogue, modelAliases } = dependencies;
  return (request: Request, response: Response): void => {
    const id = String(request.params["id"]);
    const entry = catalogue.entryOf(modelAliases.resolve(id));
    if (entry === null) throw noModel(id);
    response.json({
      ...presentAtHand(entry, dependencies),
      ...presentForOpenAI(id, entry),
    });
  };
}

/** Models of the catalogue with their current availability. */
export function modelsAtHand(dependencies: ApiDependencies): Model[] {
  return dependencies.catalogue.entries.map((entry) => presentAtHand(entry, dependencies));
}

function presentAtHand(entry: CatalogueEntry, { laneHealth }: ApiDependencies): Model {
  // Half-open counts as available: without requests, no probe would close the circuit.
  return presentModel(entry, laneHealth.stateOf(entry.provider).kind === "open");
}

function presentForOpenAI(
  id: string,
  { provider, prices_as_of }: Pick<CatalogueEntry, "provider" | "prices_as_of">,
): OpenAIModel {
  const created = prices_as_of === null ? 0 : Date.parse(prices_as_of) / 1_000;
  return { id, object: "model", created, owned_by: provider };
}

function noModel(id: string): AppError {
  return new AppError(
    "model_not_found",
    `Model "${id.slice(0, 100)}" does not exist. GET /v1/models lists the available models.`,
    { details: { successor: null } },
  ).at("model");
}
