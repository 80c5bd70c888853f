import * as z from "zod";
import { cursor, isUsualTime, modelId, pageSize, text, usualTime } from "./fields.ts";
import { operation } from "./operations.ts";
import { keyMode } from "./keys.ts";
import { metadataPairs, requestedFormat } from "./request-fields.ts";

export const jobKind = z.enum(["image", "story"]);

/** Job statuses; the last three are final. */
export const jobStates = ["pending", "processing", "completed", "failed", "cancelled"] as const;

const moment = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-11-22T12:00:00Z" })
  .refine(isUsualTime, usualTime)
  .meta({ examples: ["2026-11-22T12:00:00Z"] });

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, "must be a SHA-256 of 64 hexadecimal digits")
  .toLowerCase();

/** Filters of `GET /v1/jobs`; in a query, a pair of `metadata` is `metadata.<name>=<value>`. */
export const listJobsQuery = z.strictObject({
  limit: pageSize.meta({ description: "Maximum number of jobs per page." }),
  cursor,
  status: z.enum(jobStates).optional().meta({ description: "Only jobs with this status." }),
  kind: jobKind.optional().meta({ description: "Only jobs of this kind." }),
  operation: operation.optional().meta({ description: "Only jobs of this operation." }),
  key: z.uuid().optional().meta({ description: "Only jobs that the key with this id requested." }),
  mode: keyMode
    .optional()
    .meta({ description: "Only jobs of this mode. Default: that of the key, or of `key`." }),
  model: modelId.optional().meta({ description: "Only jobs that requested this model." }),
  created_after: moment
    .optional()
    .meta({ description: "Only jobs created at this time or later." }),
  created_before: moment.optional().meta({ description: "Only jobs created before this time." }),
  q: text
    .max(200)
    .optional()
    .meta({
      description:
        "Only jobs with these words, the last of which may be a beginning, in the first 4,000 characters of title, prompt, setting and scenes.",
      examples: ["lighthouse dusk"],
    }),
  request_id: text.max(128).optional().meta({
    description:
      "Only jobs of the request with this `X-Request-Id`. It finds them when the response was lost.",
  }),
  hash: sha256.optional().meta({
    description:
      "Only the job that made the file with this SHA-256. It may be an `image_hash`, also of a file that was deleted.",
  }),
  similar_to: sha256.optional().meta({
    description:
      "Only completed jobs with images that look like the image with this SHA-256, which may be an `image_hash`, also of a file that was deleted: at most 100 jobs, found among the newest 10,000 images. Colours and prompts are not compared.",
  }),
  starred: z
    .preprocess((value) => (value === "true" ? true : value), z.literal(true))
    .optional()
    .meta({ description: "Only starred jobs." }),
  collection: z
    .uuid()
    .toLowerCase()
    .optional()
    .meta({ description: "Only jobs in the collection with this id." }),
  metadata: metadataPairs.optional().meta({
    description: "Only jobs with all of these pairs in their `metadata`.",
  }),
});
export type ListJobsQuery = z.infer<typeof listJobsQuery>;

/** Query of `GET /v1/jobs/{id}/archive`. */
export const archiveQuery = z.strictObject({
  format: requestedFormat.default("png").meta({ description: "The format of the images." }),
});

/** Body of `POST /v1/jobs/archive`: as many jobs as the archive of a batch has lines. */
export const archiveJobsRequest = z
  .strictObject({
    job_ids: z
      .array(z.uuid().toLowerCase())
      .min(1)
      .max(500)
      .meta({ description: "The jobs, in the order of the archive; repeated ids count once." }),
    format: archiveQuery.shape.format,
  })
  .meta({ id: "ArchiveJobsRequest" });

/** The largest archive of several jobs, in bytes. */
export const maxArchiveBytes = 2_000_000_000;

/** Lower case, as stored; clients may write a UUID in upper case (RFC 9562, section 4). */
export const jobId = z.uuid().toLowerCase().meta({ description: "The id of a job." });
