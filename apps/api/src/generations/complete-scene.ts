import type { Caller } from "@atelier/accounts";
import { findGeneration } from "@atelier/generations";
import { AppError, type Operation, type StoryRequest } from "@atelier/schemas";
import { continueStory } from "@atelier/stories";
import type { ApiDependencies } from "../dependencies.ts";
import { visibleTo } from "../http/permissions.ts";
import type { OperationRequest } from "./operations.ts";

/**
 * Completes the request for a scene that belongs to an earlier story; returns other requests unchanged.
 *
 * @throws AppError `reference_unreachable` for a story that the caller cannot read or that is not completed,
 *   or 422 for a name that the story does not have.
 */
export async function completeScene<Name extends Operation>(
  request: OperationRequest<Name>,
  caller: Caller,
  { database }: Pick<ApiDependencies, "database">,
): Promise<OperationRequest<Name>> {
  if (!isScene(request) || typeof request.body === "function") return request;
  const { story_job_id: jobId } = request.body;
  if (jobId === undefined) return request;
  const target = { ...visibleTo(caller), generationId: jobId };
  const story = await findGeneration(database.pipelined, target);
  if (story?.kind !== "story" || story.status !== "completed" || !hasCast(story.request)) {
    throw noStory().at("story_job_id");
  }
  const body = continueStory(request.body, { jobId, request: story.request });
  return { ...request, body: body as typeof request.body };
}

function isScene(
  request: OperationRequest,
): request is OperationRequest & OperationRequest<"scene"> {
  return request.operation === "scene";
}

/** The request of a job whose text was removed is empty. */
function hasCast(request: unknown): request is StoryRequest {
  return typeof request === "object" && request !== null && "characters" in request;
}

function noStory(): AppError {
  return new AppError(
    "reference_unreachable",
    "There is no completed story with this id, or its text has been removed. Use another, or describe the characters and the location.",
    { details: { reason: "gone" } },
  );
}
