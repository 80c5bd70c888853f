import { presentModel } from "@atelier/models";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";

/** `GET /v1/models`: what can be asked for, and what it costs. */
export function listModels({ catalogue }: ApiDependencies) {
  return (_request: Request, response: Response): void => {
    response.json({ models: catalogue.entries.map(presentModel) });
  };
}
