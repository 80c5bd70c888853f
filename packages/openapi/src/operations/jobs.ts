import { job, jobId, jobList, listJobsQuery } from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorAnswers, keyedErrors } from "../error-answers.ts";
import type { OperationError } from "../error-examples.ts";
import { rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import type { Samples } from "../sample-answers.ts";
import { examples, jsonAnswer } from "./answers.ts";

const jobErrors = [...keyedErrors, "job_not_found"] as const satisfies readonly OperationError[];

/** `/v1/jobs` and `/v1/jobs/{id}`. */
export function jobOperations(samples: Samples): ZodOpenApiPathsObject {
  const path = z.strictObject({ id: jobId.meta({ examples: [samples.imageJob.id] }) });
  return {
    "/v1/jobs": {
      get: {
        operationId: "listJobs",
        tags: ["Jobs"],
        summary: "List jobs",
        description:
          "The account's jobs with their results, newest first. A result whose answer was lost is found here. Pages do not shift when jobs are added.",
        requestParams: { query: listJobsQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonAnswer(
            "A page of jobs.",
            {
              schema: jobList,
              examples: examples({
                page: [
                  "A page, with another after it",
                  {
                    jobs: [samples.processingStory, samples.imageJob],
                    next_cursor: "MDE5YTlmM2MtNWYwZS03YzMxLTliN2QtM2Y1YTJjOGUxZDQ2",
                  },
                ],
                last: ["The last page", { jobs: [samples.failedJob], next_cursor: null }],
              }),
            },
            rateHeaders,
          ),
          ...errorAnswers(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/jobs/{id}": {
      get: {
        operationId: "readJob",
        tags: ["Jobs"],
        summary: "Read a job",
        description:
          "Poll it until `status` is `completed`, `failed` or `cancelled`. The URLs of a result are signed anew on every read.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonAnswer(
            "The job.",
            {
              schema: job,
              examples: examples({
                completed: ["An image that is done", samples.imageJob],
                processing: ["A story under way", samples.processingStory],
                story: ["A story that is done", samples.completedStory],
                failed: ["A job that failed", samples.failedJob],
              }),
            },
            rateHeaders,
          ),
          ...errorAnswers(jobErrors, "keyed"),
        },
      },
      delete: {
        operationId: "cancelJob",
        tags: ["Jobs"],
        summary: "Cancel a job",
        description:
          "Cancels a job and answers with it: an image before it is begun or between two tries at it, a story at any time. A story whose images are being made begins no further one and is cancelled when they are done: the answer is 202 then, and the job tells when it has happened. What was held is available again, and nothing is charged.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonAnswer(
            "The job, cancelled.",
            {
              schema: job,
              examples: examples({ cancelled: ["Cancelled", samples.cancelledJob] }),
            },
            rateHeaders,
          ),
          "202": jsonAnswer(
            "The story, which is cancelled when the images under way are done. It is completed instead if they were the last.",
            {
              schema: job,
              examples: examples({ processing: ["A story under way", samples.processingStory] }),
            },
            rateHeaders,
          ),
          ...errorAnswers([...jobErrors, "job_not_cancellable"], "keyed"),
        },
      },
    },
  };
}
