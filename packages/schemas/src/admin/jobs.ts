import * as z from "zod";
import {
  cursor,
  eur,
  isUsualTime,
  nextCursor,
  requestIdPattern,
  timestamp,
  usualTime,
} from "../fields.ts";
import { keyMode } from "../keys.ts";
import { jobStatus } from "../responses.ts";
import { exampleJobId } from "../request-fields.ts";
import { endpoint, json } from "../endpoints/endpoint.ts";
import { accountStatus } from "./accounts.ts";
import { booking, isConfirmed, unconfirmed } from "./fields.ts";

const tag = "Jobs";
const accountId = "019a9f57-2b40-7f15-8c9a-4d7e10b3a6f2";
const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
  .toLowerCase();

const adminJob = z
  .strictObject({
    id: z.uuid(),
    account: z.strictObject({ id: z.uuid(), name: z.string(), status: accountStatus }),
    key: z
      .strictObject({ id: z.uuid(), name: z.string(), last_four: z.string() })
      .nullable()
      .meta({ description: "Null for jobs from before keys were recorded." }),
    mode: keyMode,
    operation: z.string(),
    status: jobStatus,
    model: z.string(),
    title: z.string().nullable(),
    batch_id: z.uuid().nullable(),
    held_eur: eur,
    charged_eur: eur,
    refunded_eur: eur,
    error: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "`error`, `message` and `details`; only when failed." }),
    refusal: z
      .strictObject({
        moderator: z.string(),
        category: z.string().nullable(),
        path: z.string().nullable(),
        certainty: z.string().nullable(),
      })
      .nullable()
      .meta({ description: "The first refusal of moderation." }),
    files: z.array(
      z.strictObject({
        render_id: z.uuid(),
        image: z.int().meta({ description: "Position of the image, from 0." }),
        format: z.string(),
        sha256: z.string(),
        storage_key: z.string(),
        size_bytes: z.int(),
        width: z.int().meta({ description: "In pixels, as the height." }),
        height: z.int(),
        deleted_at: z.string().nullable(),
      }),
    ),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({
    id: "AdminJob",
    description: "A job of any account, without its texts but the title of a story.",
  });
export type AdminJob = z.infer<typeof adminJob>;

const archivedTrace = z
  .strictObject({
    job_id: z.uuid().nullable().meta({
      description: "Null where only an image is known; the job is in one of the months.",
    }),
    account: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
    charged_eur: eur.nullable(),
    refunded_eur: eur.nullable(),
    months: z.array(z.string()),
  })
  .meta({ id: "ArchivedTrace", description: "A job whose rows are in a file of the archive." });

const found = {
  jobs: z.array(adminJob).meta({ description: "The newest first." }),
  archived: archivedTrace.nullable().meta({ description: "Only without jobs." }),
};

const jobEvent = z
  .strictObject({
    at: timestamp,
    source: z.enum(["job", "image", "moderation", "call", "ledger", "event", "delivery"]),
    event: z.string(),
    image: z.int().nullable().meta({ description: "Position of the image, from 0." }),
    details: z.record(z.string(), z.union([z.string(), z.number()])),
    tone: z.enum(["good", "bad", "plain"]),
  })
  .meta({ id: "AdminJobEvent" });

const sample: AdminJob = {
  id: exampleJobId,
  account: { id: accountId, name: "Marzipan Ltd", status: "active" },
  key: { id: "019aa1c2-4b5d-7a55-8e20-5b7c1d2e3f41", name: "website", last_four: "9fQ2" },
  mode: "live",
  operation: "image",
  status: "completed",
  model: "builtin-illustrator",
  title: null,
  batch_id: null,
  held_eur: "0.04",
  charged_eur: "0.04",
  refunded_eur: "0.00",
  error: null,
  refusal: null,
  files: [],
  created_at: "2026-11-21T10:00:00.000Z",
  completed_at: "2026-11-21T10:00:04.000Z",
};

const time = z.iso.datetime({ offset: true }).refine(isUsualTime, usualTime);
const clues = ["job", "request_id", "sha256", "account_id", "from"] as const;

export const findAdminJobs = endpoint({
  id: "findAdminJobs",
  route: "GET /admin/v1/jobs",
  tag,
  summary: "Find jobs",
  description:
    "Jobs of all accounts by one clue: `job`, `request_id`, `sha256`, `account_id` or `from`. `from` and `status` also narrow the jobs of an account. A refused request has no job. Searches by account or time have further pages.",
  scope: [],
  query: z
    .strictObject({
      job: z.uuid().toLowerCase().optional(),
      request_id: z.string().regex(requestIdPattern, "must be a request id").optional().meta({
        description: "`X-Request-Id` of the request, or the id of a batch.",
      }),
      sha256: sha256.optional().meta({ description: "Of a delivered file." }),
      account_id: z.uuid().toLowerCase().optional().meta({
        description: "All jobs of an account but archived ones.",
      }),
      status: jobStatus.optional().meta({ description: "Only with `account_id`." }),
      from: time.optional().meta({ description: "Jobs that were accepted since then." }),
      to: time.optional().meta({ description: "Jobs that were accepted before. Default: now." }),
      limit: z.coerce.number().int().min(1).max(100).default(25),
      cursor,
    })
    .refine(
      (query) => {
        const given = clues.filter((name) => query[name] !== undefined);
        return given.length === 1 || given.join() === "account_id,from";
      },
      {
        error:
          "must have exactly one of job, request_id, sha256, account_id and from, or account_id with from",
      },
    )
    .refine(({ status, account_id: account }) => status === undefined || account !== undefined, {
      error: "must have account_id with status",
    })
    .refine(
      ({ from, account_id: account, to, cursor: page }) =>
        from !== undefined || account !== undefined || (to === undefined && page === undefined),
      { error: "must have from or account_id with to and cursor" },
    ),
  results: {
    200: json(
      "The jobs.",
      z.strictObject({ ...found, next_cursor: nextCursor }).meta({ id: "AdminJobList" }),
      { jobs: ["One job", { jobs: [sample], archived: null, next_cursor: null }] },
    ),
  },
});

export const recogniseJob = endpoint({
  id: "recogniseJob",
  route: "POST /admin/v1/jobs/recognise",
  tag,
  summary: "Find the job of a picture",
  description:
    "The job that made a picture, by its manifest, hash, watermark or look. It is sent as the only file of a form, or as the whole body with its own type, and not stored.",
  scope: [],
  body: {
    mediaType: "multipart/form-data",
    schema: z.object({ file: z.string().meta({ format: "binary" }) }),
    examples: {},
  },
  results: {
    200: json(
      "The job, if the picture was made here.",
      z
        .strictObject({
          ...found,
          recognised_by: z.array(z.string()).meta({
            description: "Such as `manifest`, `hash`, `watermark` or `fingerprint`.",
          }),
        })
        .meta({ id: "RecognisedJob" }),
      { job: ["Recognised", { jobs: [sample], archived: null, recognised_by: ["watermark"] }] },
    ),
  },
  errors: ["image_invalid"],
});

const params = {
  id: z
    .uuid()
    .toLowerCase()
    .meta({ description: "The id of a job.", examples: [exampleJobId] }),
};

export const explainAdminJob = endpoint({
  id: "explainAdminJob",
  route: "GET /admin/v1/jobs/{id}",
  tag,
  summary: "Read a job and its life",
  description:
    "The job with its events in the order of time, as `atelier jobs explain` shows them.",
  scope: [],
  params,
  results: {
    200: json(
      "The job.",
      z
        .strictObject({
          job: adminJob.nullable().meta({ description: "Null if it is archived." }),
          archived: archivedTrace.nullable(),
          events: z.array(jobEvent),
        })
        .meta({ id: "ExplainedJob" }),
      {
        job: [
          "A job and its first event",
          {
            job: sample,
            archived: null,
            events: [
              {
                at: sample.created_at,
                source: "job",
                event: "accepted",
                image: null,
                details: { model: sample.model, price_eur: "0.04" },
                tone: "plain",
              },
            ],
          },
        ],
      },
    ),
  },
  errors: ["job_not_found"],
});

export const refundAdminJob = endpoint({
  id: "refundAdminJob",
  route: "POST /admin/v1/jobs/{id}/refunds",
  tag,
  summary: "Refund a job",
  description:
    "Returns the charge of a completed job to its account, once for each reference. Archived jobs are refunded as well.",
  scope: [],
  params,
  body: {
    schema: z
      .strictObject({
        ...booking,
        eur: booking.eur.optional().meta({
          description: "A part of the charge. Default: all that is not refunded yet.",
        }),
      })
      .refine((body) => isConfirmed(body.eur, body.confirm), unconfirmed)
      .meta({ id: "RefundRequest" }),
    examples: { request: [null, { reference: "complaint 7", reason: "Image was damaged" }] },
  },
  results: {
    200: json(
      "The refund.",
      z
        .strictObject({
          account_id: z.uuid(),
          job_id: z.uuid(),
          booked: z.boolean().meta({ description: "False if the reference was booked before." }),
          reference: z.string(),
          amount_eur: eur,
          charged_eur: eur,
          refunded_eur: eur.meta({ description: "Of all refunds of the job." }),
          balance_eur: eur,
        })
        .meta({ id: "BookedRefund" }),
      {
        refund: [
          "Refunded",
          {
            account_id: accountId,
            job_id: exampleJobId,
            booked: true,
            reference: "complaint 7",
            amount_eur: "0.04",
            charged_eur: "0.04",
            refunded_eur: "0.04",
            balance_eur: "41.24",
          },
        ],
      },
    ),
  },
  errors: ["job_not_found", "change_refused"],
  recorded: { action: "accounts refund", fields: ["balance", "refund"], values: ["reason"] },
});

/** `/admin/v1/jobs`. */
export const jobEndpoints = [findAdminJobs, recogniseJob, explainAdminJob, refundAdminJob] as const;
