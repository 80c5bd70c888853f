import type { Caller } from "@atelier/accounts";
import { presentModel, type CatalogueEntry } from "@atelier/models";
import { AppError, type Model, type OpenAIModel } from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import { assertModelPermitted, isModelPermitted } from "../http/permissions.ts";
import type { Routes } from "../http/routes.ts";

/**
 * `/v1/models`: the models that the key may use, with their prices and the availability of their
 * providers, for the clients of this service and for those of OpenAI. An id may be a name that the
 * operator maps to a model.
 */
export function serveModels(
  routes: Routes,
  dependencies: Needs<"catalogue" | "laneHealth" | "modelAliases">,
): void {
  const { catalogue, modelAliases } = dependencies;
  routes.add(endpoints.listModels, async ({ caller }) => {
    const entries = entriesFor(caller, dependencies);
    return {
      object: "list" as const,
      models: modelsAtHand(caller, dependencies),
      data: [
        ...entries.map((entry) => presentForOpenAI(entry.id, entry)),
        ...modelAliases.exact.flatMap(({ name, model }) => {
          const entry = entries.find(({ id }) => id === model);
          return entry === undefined ? [] : [presentForOpenAI(name, entry)];
        }),
      ],
    };
  });

  routes.add(
    endpoints.readModel,
    async ({ caller, params: { id } }) => {
      const model = modelAliases.resolve(id);
      assertModelPermitted(caller, model);
      const entry = catalogue.entryOf(model);
      if (entry === null) throw noModel(id);
      return { ...presentAtHand(entry, dependencies), ...presentForOpenAI(id, entry) };
    },
    { notFound: noModel },
  );
}

/** The models that a key may use, with their current availability. */
export function modelsAtHand(
  caller: Pick<Caller, "models">,
  dependencies: Needs<"catalogue" | "laneHealth">,
): Model[] {
  return entriesFor(caller, dependencies).map((entry) => presentAtHand(entry, dependencies));
}

/** The entries of the catalogue that a key may use. */
export function entriesFor(
  caller: Pick<Caller, "models">,
  { catalogue }: Needs<"catalogue">,
): readonly CatalogueEntry[] {
  return catalogue.entries.filter(({ id }) => isModelPermitted(caller, id));
}

function presentAtHand(
  entry: CatalogueEntry,
  { catalogue, laneHealth }: Needs<"catalogue" | "laneHealth">,
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
