import { changeNote, findGeneration, jobNotFound } from "@atelier/generations";
import { presentJob } from "@atelier/presentation";
import { changeJobRequest, parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { signWith } from "../generations/answer/sign.ts";
import { contextOf } from "../http/context.ts";
import { visibleTo } from "../http/permissions.ts";

/** `PATCH /v1/jobs/{id}`: changes title, star and book of a job, and returns it. */
export function changeJob(dependencies: ApiDependencies) {
  const { accountGate, database } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = contextOf(response);
    const owner = visibleTo(caller);
    const generationId = readJobId(request.params["id"]);
    const change = parseRequest(changeJobRequest, request.body);
    await accountGate.run(caller.accountId, () =>
      changeNote(database, caller, { owner, generationId }, change),
    );
    const generation = await findGeneration(database, { ...owner, generationId });
    if (generation === null) throw jobNotFound();
    response.json(await presentJob(generation, signWith(dependencies)));
  };
}
