import * as z from "zod";
import { nextCursor, optional, pageQuery, timestamp } from "../fields.ts";
import { endpoint, json } from "./endpoint.ts";
import { jobId } from "./samples.ts";

/** The id of a share, in lower case, as stored. */
const shareId = z.uuid().toLowerCase();

/** The most days for which a link shows its images. */
export const maxShareDays = 30;

/** Body of `POST /v1/shares`. */
export const newShare = z
  .strictObject({
    job_id: z
      .uuid()
      .toLowerCase()
      .meta({
        description: "The id of a completed job of a live key.",
        examples: [jobId],
      }),
    image: optional(z.int().min(0).max(9)).meta({
      description: "Which of its images or scenes, from 0. Omit it to share all of them.",
    }),
    days: z
      .int()
      .min(1)
      .max(maxShareDays)
      .meta({
        description: "How long the link shows the images, in days.",
        examples: [7],
      }),
    keep: optional(z.boolean()).meta({
      description:
        "Also keep the images of the job, as `POST /v1/jobs/{id}/keep` does; they stay kept after the end of the link. Without it, the link ends with the images. Default: false.",
    }),
  })
  .meta({ id: "NewShare" });
export type NewShare = z.infer<typeof newShare>;

export const share = z
  .strictObject({
    id: z.uuid(),
    job_id: z.uuid(),
    image: z.int().nullable().meta({
      description: "Which of its images or scenes it shows, from 0; null for all.",
    }),
    kept: z.boolean().meta({
      description: "Whether the images are kept. Otherwise the link ends with their retention.",
    }),
    created_at: timestamp,
    expires_at: timestamp.meta({
      description:
        "When the link ends: after its days, with the retention of images that are not kept, or with its key, whichever is first.",
    }),
  })
  .meta({ id: "Share", description: "A link that shows images to anyone who has it." });
export type Share = z.infer<typeof share>;

/** 201 of `POST /v1/shares`. */
export const createdShare = share
  .extend({ url: z.url().meta({ description: "The link. It is shown once and not stored." }) })
  .meta({ id: "CreatedShare", description: "A share with its link." });
export type CreatedShare = z.infer<typeof createdShare>;

/** Query of `GET /v1/shares`. */
export const listSharesQuery = pageQuery("shares");

/** 200 of `GET /v1/shares`. */
export const shareList = z
  .strictObject({
    shares: z.array(share).meta({ description: "The newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "ShareList" });
export type ShareList = z.infer<typeof shareList>;

const tag = "Shares";

const sample: Share = {
  id: "019a9f58-2b7d-7e61-a0c4-8d3f1e6b9a25",
  job_id: jobId,
  image: null,
  kept: true,
  created_at: "2026-11-21T10:16:00.000Z",
  expires_at: "2026-11-28T10:16:00.000Z",
};

const params = {
  id: shareId.meta({ description: "The id of a share.", examples: [sample.id] }),
};

export const createShare = endpoint({
  id: "createShare",
  route: "POST /v1/shares",
  tag,
  summary: "Share images by a link",
  description:
    "Creates a link to a page that shows images of a completed job to anyone who has it, until `expires_at`. The page says that they are AI-generated, and has neither prompts nor the name of the account. The link ends early with the images, with a revocation of the key, when it loses one of its scopes, and with a suspension of the account. An account may have 100 shares. Needs a live key with the scopes `read` and `generate`, and `SHARES=on`, which `sharing` of `GET /v1/account` tells.",
  scope: ["read", "generate"],
  body: {
    schema: newShare,
    examples: {
      kept: ["Kept, for a week", { job_id: jobId, days: 7, keep: true }],
      one: ["One image of several", { job_id: jobId, image: 1, days: 1 }],
    },
  },
  results: {
    201: json("The share with its link, which is shown once.", createdShare, {
      share: ["A share", { ...sample, url: "https://images.example.com/s/Zk3vT9q1Yc0xR7mLb2WnAg" }],
    }),
  },
  errors: [
    "too_many_items",
    "job_not_found",
    "job_not_final",
    "file_not_found",
    "keep_quota_exceeded",
  ],
});

export const listShares = endpoint({
  id: "listShares",
  route: "GET /v1/shares",
  tag,
  summary: "List shares",
  description:
    "The shares of the account, the newest first, without their links. A share that has ended is listed until a worker deletes it.",
  scope: ["read"],
  query: listSharesQuery,
  results: {
    200: json("A page of shares.", shareList, {
      page: ["One share", { shares: [sample], next_cursor: null }],
    }),
  },
});

export const readShare = endpoint({
  id: "readShare",
  route: "GET /v1/shares/{id}",
  tag,
  summary: "Read a share",
  description: "What the share shows and when it ends, without its link.",
  scope: ["read"],
  params,
  results: { 200: json("The share.", share, { share: ["A share", sample] }) },
  errors: ["share_not_found"],
});

export const deleteShare = endpoint({
  id: "deleteShare",
  route: "DELETE /v1/shares/{id}",
  tag,
  summary: "Stop a share",
  description: "The link ends at once. The job and its images stay.",
  scope: ["read", "generate"],
  changes: "share",
  params,
  results: { 204: "The link has ended." },
  errors: ["share_not_found"],
});

/** `/v1/shares`. */
export const shareEndpoints = [createShare, listShares, readShare, deleteShare] as const;
