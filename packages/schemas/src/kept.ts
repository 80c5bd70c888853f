import * as z from "zod";
import { nextCursor, pageQuery, timestamp } from "./fields.ts";

const bytes = z.int().nonnegative();

const keepStatus = z.enum(["pending", "kept", "refused"]).meta({
  description:
    "`pending`: kept when the job is completed, or being copied. `refused`: the quota was used up when the job was completed, or it made no images; the images follow the retention of the account.",
});

/** Whether the images of a job are kept. */
export const jobKeep = z
  .strictObject({
    status: keepStatus,
    size_bytes: bytes.meta({ description: "What the images count towards the quota." }),
  })
  .meta({ id: "JobKeep" });

/** Query of `GET /v1/kept`. */
export const listKeptQuery = pageQuery("jobs");

/** 200 of `GET /v1/kept`. */
export const keptList = z
  .strictObject({
    used_bytes: bytes.meta({ description: "What the account keeps." }),
    quota_bytes: bytes.meta({ description: "What it may keep at most." }),
    kept: z
      .array(
        z
          .strictObject({
            job_id: z.uuid(),
            status: keepStatus,
            size_bytes: bytes,
            kept_since: timestamp.meta({ description: "When it was requested." }),
          })
          .meta({ id: "KeptJob" }),
      )
      .meta({ description: "The newest job first." }),
    next_cursor: nextCursor,
  })
  .meta({
    id: "KeptList",
    description: "The jobs whose images an account keeps until it deletes them.",
  });
export type KeptList = z.infer<typeof keptList>;
