import type { Caller } from "@atelier/accounts";
import type { Operation } from "@atelier/schemas";
import { continueStory } from "@atelier/stories";
import type { Needs } from "../../dependencies.ts";
import { findStory } from "./find-story.ts";
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
  dependencies: Needs<"database">,
): Promise<OperationRequest<Name>> {
  if (!isRequestOf("scene", request)) return request;
  const { story_job_id: jobId } = request.body;
  if (jobId === undefined) return request;
  const body = continueStory(request.body, await findStory(jobId, caller, dependencies));
  return { ...request, body: body as typeof request.body };
}

/** Whether a request is of an operation. */
export function isRequestOf<Name extends Operation>(
  name: Name,
  request: OperationRequest,
): request is OperationRequest & OperationRequest<Name> {
  return request.operation === name;
}
