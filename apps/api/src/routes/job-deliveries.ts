import { listJobDeliveries } from "@atelier/events";
import { findGeneration, jobNotFound } from "@atelier/generations";
import type { ListDeliveriesQuery } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { contextOf } from "../http/context.ts";
import { visibleTo } from "../http/permissions.ts";
import { readDeliveries } from "./present-deliveries.ts";

/** `GET /v1/jobs/{id}/deliveries`: the deliveries to the `webhook_url` of a job. */
export function readJobDeliveries({ database }: ApiDependencies) {
  return async (
    request: Request,
    response: Response,
    query: ListDeliveriesQuery,
  ): Promise<void> => {
    const generationId = readJobId(request.params["id"]);
    const owner = visibleTo(contextOf(response).caller);
    if ((await findGeneration(database, { ...owner, generationId })) === null) throw jobNotFound();
    response.json(
      await readDeliveries(query, (page) => listJobDeliveries(database, { ...page, generationId })),
    );
  };
}
