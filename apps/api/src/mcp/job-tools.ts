import { assertMayChangeThing, assertScope } from "@atelier/accounts";
import { jobNotFound } from "@atelier/generations/endings";
import { findGeneration, isFinal } from "@atelier/generations/jobs";
import { summariseJob } from "@atelier/presentation";
import { jobList, listedJob, listJobsQuery, parseRequest } from "@atelier/schemas";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import { cancelAndRemove } from "../generations/answer/cancel-and-remove.ts";
import { listPage } from "../generations/answer/list-page.ts";
import { readJobId } from "../generations/answer/read-job-id.ts";
import { withWait } from "../generations/answer/wait-estimates.ts";
import { contextOf } from "../http/context.ts";
import { visibleTo } from "../http/permissions.ts";
import { answer, type Tool } from "./call.ts";
import { waitSeconds } from "./generate.ts";
import { answerWithJob } from "./job-answer.ts";
import { waitForJob } from "./wait-for-job.ts";

const jobField = {
  job_id: z.string().describe("An id that generate_image, generate_story or list_jobs returned."),
};

/** Input of `get_job`. */
export function getJobInput(config: ApiConfig) {
  return z.strictObject({ ...jobField, wait_seconds: waitSeconds(config, 0) });
}

/** Input of `cancel_job`. */
export const cancelJobInput = z.strictObject(jobField);

/** Output of `list_jobs`, without the links of images, which would fill an assistant's context. */
export const listJobsOutput = jobList.extend({
  jobs: z
    .array(listedJob.omit({ result: true, renders: true }))
    .describe("Newest first. get_job has the images of one."),
});

/** Reads a job, as `GET /v1/jobs/{id}` does, and optionally waits for it. */
export const getJobTool: Tool = async (input, context, exchange) => {
  const { response, dependencies } = exchange;
  const { job_id, wait_seconds } = parseRequest(getJobInput(dependencies.config), input);
  const target = { ...visibleTo(contextOf(response).caller), generationId: readJobId(job_id) };
  const generation = await waitForJob(target, wait_seconds * 1_000, context, dependencies);
  return answerWithJob(generation, exchange);
};

/** Lists jobs, as `GET /v1/jobs` does. */
export const listJobsTool: Tool = async (input, _context, { response, dependencies }) => {
  const query = parseRequest(listJobsQuery, input);
  const { caller } = contextOf(response);
  const { page, nextCursor } = await listPage(caller, query, dependencies);
  const waits = await dependencies.waits.ofJobs(caller.accountId, page);
  const jobs = page.map((generation) => withWait(summariseJob(generation), waits));
  return answer({ jobs, next_cursor: nextCursor });
};

/** Cancels a job, as `DELETE /v1/jobs/{id}` does. */
export const cancelJobTool: Tool = async (input, _context, exchange) => {
  const { response, dependencies } = exchange;
  const { job_id } = parseRequest(cancelJobInput, input);
  const { requestId, caller } = contextOf(response);
  assertScope(caller, "generate");
  const target = { ...visibleTo(caller), generationId: readJobId(job_id) };
  await assertMayChangeThing(dependencies.database, caller, "job", target.generationId);
  const cancelled = await cancelAndRemove(target, requestId, dependencies);
  const generation = await findGeneration(dependencies.database, target);
  if (generation === null) throw jobNotFound();
  if (cancelled || isFinal(generation)) return answerWithJob(generation, exchange);
  const advice =
    "No further image of the story is started. It is cancelled when the images in progress are done, or completed if they are the last ones. Call get_job for its status.";
  return answerWithJob(generation, exchange, advice);
};
