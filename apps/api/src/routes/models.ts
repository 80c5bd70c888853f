import type { Caller } from "@atelier/accounts";
import { presentModel, type CatalogueEntry } from "@atelier/models";
import { AppError, type Model, type OpenAIModel } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";
import { assertModelPermitted, isModelPermitted } from "../http/permissions.ts";

/**
 * `GET /v1/models`: the models that the key may use, with their prices and the availability of their
 * providers, for the clients of this service and for those of OpenAI.
 */
export function listModels(dependencies: ApiDependencies) {
  return (_request: Request, response: Response): void => {
    const { caller } = contextOf(response);
    const entries = entriesFor(caller, dependencies);
    response.json({
      object: "list",
      models: modelsAtHand(caller, dependencies),
      data: [
        ...entries.map((entry) => presentForOpenAI(entry.id, entry)),
        ...dependencies.modelAliases.exact.flatMap(({ name, model }) => {
          const entry = entries.find(({ id }) => id === model);
          return entry === undefined ? [] : [presentForOpenAI(name, entry)];
        }),
      ],
    });
  };
}

/** `GET /v1/models/{id}`: one model, or the model of a name that the operator maps to it. */
export function readModel(dependencies: ApiDependencies) {
  const { catalogue, modelAliases } = dependencies;
  return (request: Request, response: Response): void => {
    const id = String(request.params["id"]);
    const model = modelAliases.resolve(id);
    assertModelPermitted(contextOf(response).caller, model);
    const entry = catalogue.entryOf(model);
    if (entry === null) throw noModel(id);
    response.json({
      ...presentAtHand(entry, dependencies),
      ...presentForOpenAI(id, entry),
    });
  };
}

/** The models that a key may use, with their current availability. */
export function modelsAtHand(
  caller: Pick<Caller, "models">,
  dependencies: Pick<ApiDependencies, "catalogue" | "laneHealth">,
): Model[] {
  return entriesFor(caller, dependencies).map((entry) => presentAtHand(entry, dependencies));
}

/** The entries of the catalogue that a key may use. */
export function entriesFor(
  caller: Pick<Caller, "models">,
  { catalogue }: Pick<ApiDependencies, "catalogue">,
): readonly CatalogueEntry[] {
  return catalogue.entries.filter(({ id }) => isModelPermitted(caller, id));
}

function presentAtHand(
  entry: CatalogueEntry,
  { catalogue, laneHealth }: Pick<ApiDependencies, "catalogue" | "laneHealth">,
): Model {
  // Half-open counts as available: without requests, no probe would close the circuit.
  const isDegraded = laneHealth.stateOf(entry.provider).kind === "open";
  return presentModel(entry, catalogue.pixelsOf(entry.id), isDegraded);
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
