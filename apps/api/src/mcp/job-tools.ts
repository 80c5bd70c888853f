import {
  findGeneration,
  isFinal,
  jobNotFound,
  presentJob,
  type FoundGeneration,
} from "@atelier/generations";
import { job, jobList, listJobsQuery, parseRequest } from "@atelier/schemas";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { cancelAndRemove } from "../generations/cancel-and-remove.ts";
import { listPage } from "../generations/list-page.ts";
import { readJobId } from "../generations/read-job-id.ts";
import { signWith } from "../generations/sign.ts";
import { contextOf } from "../http/context.ts";
import { answer, type Tool } from "./call.ts";
import { waitSeconds } from "./generate.ts";
import { answerWithJob } from "./job-answer.ts";
import { waitForJob } from "./wait-for-job.ts";

const jobField = {
  job_id: z
    .string()
    .describe("An id that generate_image, generate_story or list_jobs answered with."),
};

/** Input of `get_job`. */
export function getJobInput(config: ApiConfig) {
  return z.strictObject({ ...jobField, wait_seconds: waitSeconds(config, 0) });
}

/** Input of `cancel_job`. */
export const cancelJobInput = z.strictObject(jobField);

/** Output of `list_jobs`: without results, whose links would fill an assistant's memory. */
export const listJobsOutput = jobList.extend({
  jobs: z
    .array(job.omit({ result: true }).extend({ title: z.string().optional() }))
    .describe("Newest first. get_job has the images of one."),
});

/** Reads a job, as `GET /v1/jobs/{id}` does, and waits for it if that is asked for. */
export const getJobTool: Tool = async (input, context, { response, dependencies }) => {
  const { job_id, wait_seconds } = parseRequest(getJobInput(dependencies.config), input);
  const of = { accountId: contextOf(response).caller.accountId, generationId: readJobId(job_id) };
  const generation = await waitForJob(of, wait_seconds * 1_000, context, dependencies);
  return answerWithJob(generation, dependencies);
};

/** Lists jobs, as `GET /v1/jobs` does. */
export const listJobsTool: Tool = async (input, _context, { response, dependencies }) => {
  const query = parseRequest(listJobsQuery, input);
  const { accountId } = contextOf(response).caller;
  const { page, nextCursor } = await listPage(accountId, query, dependencies);
  const jobs = await Promise.all(page.map((generation) => summarise(generation, dependencies)));
  return answer({ jobs, next_cursor: nextCursor });
};

/** Cancels a job, as `DELETE /v1/jobs/{id}` does. */
export const cancelJobTool: Tool = async (input, _context, { response, dependencies }) => {
  const { job_id } = parseRequest(cancelJobInput, input);
  const { requestId, caller } = contextOf(response);
  const of = { accountId: caller.accountId, generationId: readJobId(job_id) };
  const cancelled = await cancelAndRemove(of, requestId, dependencies);
  const generation = await findGeneration(dependencies.database, of);
  if (generation === null) throw jobNotFound();
  if (cancelled || isFinal(generation)) return answerWithJob(generation, dependencies);
  const advice =
    "The story begins no further image, and is cancelled when those under way are done. Call get_job to see that; it is completed instead if they were the last.";
  return answerWithJob(generation, dependencies, advice);
};

async function summarise(generation: FoundGeneration, dependencies: ApiDependencies) {
  const { result, ...summary } = await presentJob(generation, signWith(dependencies));
  return result?.title === undefined ? summary : { ...summary, title: result.title };
}
