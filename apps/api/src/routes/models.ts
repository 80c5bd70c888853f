import { presentModel } from "@atelier/models";
import type { Model } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";

/** `GET /v1/models`: what can be asked for, what it costs, and whether its provider answers. */
export function listModels(dependencies: ApiDependencies) {
  return (_request: Request, response: Response): void => {
    response.json({ models: modelsAtHand(dependencies) });
  };
}

/** The models of the catalogue as they are now. */
export function modelsAtHand({ catalogue, laneHealth }: ApiDependencies): Model[] {
  return catalogue.entries.map((entry) =>
    // Whoever passed over a half-open lane would never make the call that closes it.
    presentModel(entry, laneHealth.stateOf(entry.provider).kind === "open"),
  );
}
