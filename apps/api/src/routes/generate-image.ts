import { imageRequest, parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { acceptAndAnswer } from "../generations/accept-and-wait.ts";
import { planImage } from "../generations/plan-image.ts";
import { contextOf } from "../http/context.ts";
import { readPrefer } from "../http/prefer.ts";

/** `POST /v1/generate/image`: one image, answered when it is done. */
export function generateImage(dependencies: ApiDependencies) {
  const { config } = dependencies;
  return async (request: Request, response: Response): Promise<void> => {
    const body = parseRequest(imageRequest, request.body);
    const { waitMs } = readPrefer(request.get("Prefer"), config.MAX_WAIT_SECONDS * 1_000);
    const { strictness } = contextOf(response).caller;
    const makePlan = () => planImage(body, strictness, dependencies);
    const deadlineMs = config.IMAGE_DEADLINE_SECONDS * 1_000;
    await acceptAndAnswer(request, response, { body, makePlan, deadlineMs, waitMs }, dependencies);
  };
}
