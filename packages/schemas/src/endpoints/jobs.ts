import { archiveJobsRequest, archiveQuery, jobId, listJobsQuery } from "../jobs.ts";
import { keptList, listKeptQuery } from "../kept.ts";
import { changeJobRequest } from "../notes.ts";
import { job, jobList } from "../responses.ts";
import { endpoint, json } from "./endpoint.ts";
import { createSamples, exampleUrl, listed } from "./samples.ts";

const tag = "Jobs";
const samples = createSamples(exampleUrl);
const { image_url: _url, formats: _formats, ...hashes } = samples.image;
const { id, keep } = samples.keptJob;
const sizeBytes = keep?.size_bytes ?? 0;

const params = { id: jobId.meta({ examples: [samples.imageJob.id] }) };

export const listJobs = endpoint({
  id: "listJobs",
  route: "GET /v1/jobs",
  tag,
  summary: "List jobs",
  description:
    "The account's jobs with their results, newest first, including results whose response was lost. Pages do not shift when jobs are added. Any number of parameters `metadata.<name>=<value>` select the jobs with these pairs in their `metadata`.",
  limit: "polled",
  scope: [],
  query: listJobsQuery,
  results: {
    200: json("A page of jobs.", jobList, {
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
  errors: ["job_not_found"],
});

export const readJob = endpoint({
  id: "readJob",
  route: "GET /v1/jobs/{id}",
  tag,
  summary: "Read a job",
  description:
    "Poll until `status` is `completed`, `failed` or `cancelled`. With `Prefer: wait=N`, the response is sent when the job ends or after N seconds, up to the server's limit; `Preference-Applied` says how long it would have waited. Every read returns new signed URLs.",
  limit: "polled",
  scope: [],
  headers: ["Prefer"],
  params,
  results: {
    200: json(
      "The job.",
      job,
      {
        completed: ["A completed image", samples.imageJob],
        processing: ["An unfinished story", samples.processingStory],
        story: ["A completed story", samples.completedStory],
        failed: ["A failed job", samples.failedJob],
      },
      ["Preference-Applied"],
    ),
  },
  errors: ["job_not_found"],
});

export const changeJob = endpoint({
  id: "changeJob",
  route: "PATCH /v1/jobs/{id}",
  tag,
  summary: "Name, star or lay out a job",
  description:
    "Changes the title, the star and the book of a job, which are the account's own and change nothing of its images, and returns the job. Omitted properties stay unchanged. Lists find a job by its new title. A star also keeps the images if the account has `keep_starred`; where the quota has no room for them, `keep.status` is `refused`. An account may have 10,000 starred jobs, and 500 jobs with a book. Can be repeated.",
  scope: ["generate"],
  changes: "job",
  params,
  body: {
    schema: changeJobRequest,
    examples: {
      star: ["A title and a star", { title: "The lighthouse", starred: true }],
      book: ["The pages of a story", { book: samples.notedStory.book }],
      clear: ["Back to the first title", { title: null }],
    },
  },
  results: {
    200: json("The job as it is now.", job, { changed: ["Changed", samples.notedStory] }),
  },
  errors: ["job_not_found", "too_many_items", "job_redacted"],
});

export const cancelJob = endpoint({
  id: "cancelJob",
  route: "DELETE /v1/jobs/{id}",
  tag,
  summary: "Cancel a job",
  description:
    "Cancels a job and returns it: a single image before it is started or between two attempts, a job of several images or a story at any time. If some of several images are being made, the response is 202: no further image is started, and the job is cancelled when those are done. The hold of a cancelled job is released, and nothing is charged.",
  scope: ["generate"],
  changes: "job",
  params,
  results: {
    200: json("The cancelled job.", job, { cancelled: ["Cancelled", samples.cancelledJob] }),
    202: json(
      "The job, which is cancelled when the images in progress are done. It completes and is charged if they were the last.",
      job,
      { processing: ["An unfinished story", samples.processingStory] },
    ),
  },
  errors: ["job_not_found", "job_not_cancellable"],
});

export const deleteJobImages = endpoint({
  id: "deleteJobImages",
  route: "DELETE /v1/jobs/{id}/images",
  tag,
  summary: "Delete the images of a job",
  description:
    "Deletes the images of a final job before their retention is over, and returns the job. Its hashes stay, for provenance.",
  scope: ["generate"],
  changes: "job",
  params,
  results: {
    200: json("The job without image URLs.", job, {
      deleted: ["Deleted", { ...samples.imageJob, result: hashes }],
    }),
  },
  errors: ["job_not_found", "job_not_final", "images_in_use"],
});

export const keepJob = endpoint({
  id: "keepJob",
  route: "POST /v1/jobs/{id}/keep",
  tag,
  summary: "Keep the images of a job",
  description:
    "Keeps the images until they are deleted, within the quota of the account, and returns the job. `keep.status` is `pending` until they are copied, and they stay available meanwhile. Those of an unfinished job are kept when it is completed, if the quota has room for them then. Requests with `keep: true` do the same. Can be repeated.",
  scope: ["generate"],
  changes: "job",
  params,
  results: { 200: json("The job.", job, { pending: ["Being copied", samples.keptJob] }) },
  errors: ["job_not_found", "file_not_found", "keep_quota_exceeded"],
});

export const releaseJob = endpoint({
  id: "releaseJob",
  route: "DELETE /v1/jobs/{id}/keep",
  tag,
  summary: "Stop keeping the images of a job",
  description:
    "The images follow the retention of the account again, which deletes those that are older, and no longer count towards the quota. Unfinished jobs that use one as a reference finish with it. Can be repeated.",
  scope: ["generate"],
  changes: "job",
  params,
  results: { 200: json("The job.", job, { released: ["Released", samples.imageJob] }) },
  errors: ["job_not_found"],
});

export const listKept = endpoint({
  id: "listKept",
  route: "GET /v1/kept",
  tag,
  summary: "List what the account keeps",
  description:
    "The jobs whose images are kept until they are deleted, with their sizes, and the quota. The newest job is first.",
  scope: ["read"],
  query: listKeptQuery,
  results: {
    200: json("A page of kept jobs.", keptList, {
      kept: [
        "One kept job",
        {
          used_bytes: sizeBytes,
          quota_bytes: 1_000_000_000,
          kept: [
            {
              job_id: id,
              status: "kept",
              size_bytes: sizeBytes,
              kept_since: "2026-11-21T10:05:00.000Z",
            },
          ],
          next_cursor: null,
        },
      ],
    }),
  },
});

export const downloadArchive = endpoint({
  id: "downloadArchive",
  route: "GET /v1/jobs/{id}/archive",
  tag,
  summary: "Download all images of a job",
  description:
    "A ZIP of the images of a completed job in one format. The names are those of their roles: `image-1.png`, `scene-1.png`, `portrait-1.png`, `state-1.png`, `location-1.png`.",
  scope: [],
  params,
  query: archiveQuery,
  results: {
    200: {
      description: "The archive.",
      headers: ["Content-Disposition"],
      content: { "application/zip": {} },
    },
  },
  errors: ["job_not_found", "file_not_found", "job_not_final", "overloaded"],
});

export const archiveJobs = endpoint({
  id: "archiveJobs",
  route: "POST /v1/jobs/archive",
  tag,
  summary: "Download the images of several jobs",
  description:
    "A ZIP of the images of up to 500 jobs in one format, of at most 2 GB. An image that was not made in this format is sent as PNG, and jobs without images are left out. The names have the position of the job and the first words of its title or prompt, such as `001-a-lighthouse-at-dusk.png`; a job of several images has a folder. Can be repeated.",
  scope: [],
  body: {
    schema: archiveJobsRequest,
    examples: {
      webp: ["Two jobs as WebP", { job_ids: [samples.imageJob.id, id], format: "webp" }],
    },
  },
  results: {
    200: {
      description: "The archive.",
      headers: ["Content-Disposition"],
      content: { "application/zip": {} },
    },
  },
  errors: ["job_not_found", "file_not_found", "overloaded"],
});

/** `/v1/jobs` and `/v1/kept`. */
export const jobEndpoints = [
  listJobs,
  readJob,
  changeJob,
  cancelJob,
  deleteJobImages,
  keepJob,
  releaseJob,
  listKept,
  downloadArchive,
  archiveJobs,
] as const;
