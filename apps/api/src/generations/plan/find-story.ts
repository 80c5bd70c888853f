import type { Caller } from "@atelier/accounts";
import { findGeneration } from "@atelier/generations/jobs";
import { AppError, type StoryRequest } from "@atelier/schemas";
import type { EarlierStory } from "@atelier/stories";
import type { Needs } from "../../dependencies.ts";
import { visibleTo } from "../../http/permissions.ts";

/**
 * Finds a completed story by the id of its job.
 *
 * @throws AppError `reference_unreachable` for a story that the caller cannot read, that is not completed, or
 *   whose text was removed.
 */
export async function findStory(
  jobId: string,
  caller: Caller,
  { database }: Needs<"database">,
): Promise<EarlierStory> {
  const target = { ...visibleTo(caller), generationId: jobId };
  const story = await findGeneration(database.pipelined, target);
  if (story?.kind !== "story" || story.status !== "completed" || !hasCast(story.request)) {
    throw noStory().at("story_job_id");
  }
  return { jobId, request: story.request };
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
