import {
  archiveQuery,
  changeJobRequest,
  job,
  jobId,
  jobList,
  keptList,
  listJobsQuery,
  listKeptQuery,
  type Job,
  type ListedJob,
  type OperationError,
} from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import type { Samples } from "../sample-responses.ts";
import { examples, jsonResponse } from "./responses.ts";

const jobErrors = [...keyedErrors, "job_not_found"] as const satisfies readonly OperationError[];

/** The job as a list shows it. */
export function listed({ request: { prompt }, book: _book, ...rest }: Job): ListedJob {
  return { ...rest, prompt: typeof prompt === "string" ? prompt : null };
}

/** `/v1/jobs` and `/v1/jobs/{id}`. */
export function jobOperations(samples: Samples): ZodOpenApiPathsObject {
  const path = z.strictObject({ id: jobId.meta({ examples: [samples.imageJob.id] }) });
  const { image_url: _url, formats: _formats, ...hashes } = samples.image;
  const withoutImages: Job = { ...samples.imageJob, result: hashes };
  return {
    "/v1/jobs": {
      get: {
        operationId: "listJobs",
        tags: ["Jobs"],
        summary: "List jobs",
        description:
          "The account's jobs with their results, newest first, including results whose response was lost. Pages do not shift when jobs are added. Any number of parameters `metadata.<name>=<value>` select the jobs with these pairs in their `metadata`.",
        requestParams: { query: listJobsQuery.omit({ metadata: true }) },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "A page of jobs.",
            {
              schema: jobList,
              examples: examples({
                page: [
                  "A page that is not the last",
                  {
                    jobs: [listed(samples.processingStory), listed(samples.imageJob)],
                    next_cursor: "MDE5YTlmM2MtNWYwZS03YzMxLTliN2QtM2Y1YTJjOGUxZDQ2",
                  },
                ],
                last: ["The last page", { jobs: [listed(samples.failedJob)], next_cursor: null }],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/jobs/{id}": {
      get: {
        operationId: "readJob",
        tags: ["Jobs"],
        summary: "Read a job",
        description:
          "Poll until `status` is `completed`, `failed` or `cancelled`. With `Prefer: wait=N`, the response is sent when the job ends or after N seconds, up to the server's limit; `Preference-Applied` says how long it would have waited. Every read returns new signed URLs.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId", "Prefer"]),
        responses: {
          "200": jsonResponse(
            "The job.",
            {
              schema: job,
              examples: examples({
                completed: ["A completed image", samples.imageJob],
                processing: ["An unfinished story", samples.processingStory],
                story: ["A completed story", samples.completedStory],
                failed: ["A failed job", samples.failedJob],
              }),
            },
            [...rateHeaders, "Preference-Applied"],
          ),
          ...errorResponses(jobErrors, "keyed"),
        },
      },
      patch: {
        operationId: "changeJob",
        tags: ["Jobs"],
        summary: "Name, star or lay out a job",
        description:
          "Changes the title, the star and the book of a job, which are the account's own and change nothing of its images, and returns the job. Omitted properties stay unchanged. Lists find a job by its new title. An account may have 10,000 starred jobs, and 500 jobs with a book. Can be repeated.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: changeJobRequest,
              examples: examples({
                star: ["A title and a star", { title: "The lighthouse", starred: true }],
                book: ["The pages of a story", { book: samples.notedStory.book }],
                clear: ["Back to the first title", { title: null }],
              }),
            },
          },
        },
        responses: {
          "200": jsonResponse(
            "The job as it is now.",
            { schema: job, examples: examples({ changed: ["Changed", samples.notedStory] }) },
            rateHeaders,
          ),
          ...errorResponses(
            [
              ...jobErrors,
              "request_too_large",
              "unsupported_media_type",
              "too_many_items",
              "job_redacted",
            ],
            "keyed",
          ),
        },
      },
      delete: {
        operationId: "cancelJob",
        tags: ["Jobs"],
        summary: "Cancel a job",
        description:
          "Cancels a job and returns it: a single image before it is started or between two attempts, a job of several images or a story at any time. If some of several images are being made, the response is 202: no further image is started, and the job is cancelled when those are done. The hold of a cancelled job is released, and nothing is charged.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The cancelled job.",
            {
              schema: job,
              examples: examples({ cancelled: ["Cancelled", samples.cancelledJob] }),
            },
            rateHeaders,
          ),
          "202": jsonResponse(
            "The job, which is cancelled when the images in progress are done. It completes and is charged if they were the last.",
            {
              schema: job,
              examples: examples({ processing: ["An unfinished story", samples.processingStory] }),
            },
            rateHeaders,
          ),
          ...errorResponses([...jobErrors, "job_not_cancellable"], "keyed"),
        },
      },
    },
    "/v1/jobs/{id}/images": {
      delete: {
        operationId: "deleteJobImages",
        tags: ["Jobs"],
        summary: "Delete the images of a job",
        description:
          "Deletes the images of a final job before their retention is over, and returns the job. Its hashes stay, for provenance.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The job without image URLs.",
            { schema: job, examples: examples({ deleted: ["Deleted", withoutImages] }) },
            rateHeaders,
          ),
          ...errorResponses([...jobErrors, "job_not_final", "images_in_use"], "keyed"),
        },
      },
    },
    "/v1/jobs/{id}/keep": {
      post: {
        operationId: "keepJob",
        tags: ["Jobs"],
        summary: "Keep the images of a job",
        description:
          "Keeps the images until they are deleted, within the quota of the account, and returns the job. `keep.status` is `pending` until they are copied, and they stay available meanwhile. Those of an unfinished job are kept when it is completed, if the quota has room for them then. Requests with `keep: true` do the same. Can be repeated.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The job.",
            { schema: job, examples: examples({ pending: ["Being copied", samples.keptJob] }) },
            rateHeaders,
          ),
          ...errorResponses([...jobErrors, "file_not_found", "keep_quota_exceeded"], "keyed"),
        },
      },
      delete: {
        operationId: "releaseJob",
        tags: ["Jobs"],
        summary: "Stop keeping the images of a job",
        description:
          "The images follow the retention of the account again, which deletes those that are older, and no longer count towards the quota. Unfinished jobs that use one as a reference finish with it. Can be repeated.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "The job.",
            { schema: job, examples: examples({ released: ["Released", samples.imageJob] }) },
            rateHeaders,
          ),
          ...errorResponses(jobErrors, "keyed"),
        },
      },
    },
    "/v1/kept": {
      get: {
        operationId: "listKept",
        tags: ["Jobs"],
        summary: "List what the account keeps",
        description:
          "The jobs whose images are kept until they are deleted, with their sizes, and the quota. The newest job is first.",
        requestParams: { query: listKeptQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse(
            "A page of kept jobs.",
            {
              schema: keptList,
              examples: examples({
                kept: [
                  "One kept job",
                  {
                    used_bytes: samples.keptJob.keep?.size_bytes ?? 0,
                    quota_bytes: 1_000_000_000,
                    kept: [
                      {
                        job_id: samples.keptJob.id,
                        status: "kept",
                        size_bytes: samples.keptJob.keep?.size_bytes ?? 0,
                        kept_since: "2026-11-21T10:05:00.000Z",
                      },
                    ],
                    next_cursor: null,
                  },
                ],
              }),
            },
            rateHeaders,
          ),
          ...errorResponses(keyedErrors, "keyed"),
        },
      },
    },
    "/v1/jobs/{id}/archive": {
      get: {
        operationId: "downloadArchive",
        tags: ["Jobs"],
        summary: "Download all images of a job",
        description:
          "A ZIP of the images of a completed job in one format. The names are those of their roles: `image-1.png`, `scene-1.png`, `portrait-1.png`, `state-1.png`, `location-1.png`.",
        requestParams: { path, query: archiveQuery },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": {
            description: "The archive.",
            headers: headerReferences(["X-Request-Id", "Content-Disposition", ...rateHeaders]),
            content: { "application/zip": {} },
          },
          ...errorResponses(
            [...jobErrors, "file_not_found", "job_not_final", "overloaded"],
            "keyed",
          ),
        },
      },
    },
  };
}
