import * as z from "zod";
import { receivedFormat } from "./request-fields.ts";

/** Limits of an uploaded image. */
export const maxUploadBytes = 20_000_000;
export const maxUploadPixels = 40_000_000;

/** The largest JPEG, the format of cameras, in pixels. */
export const maxPhotographPixels = 50_000_000;

/** The largest image to change that is not a JPEG, and the largest AVIF, in pixels. */
export const maxScaledPixels = 24_000_000;

/** 201 of `POST /v1/uploads`, and 200 of `GET /v1/uploads/{id}`. */
export const upload = z
  .strictObject({
    id: z.uuid().meta({ description: "The `upload_id` of requests." }),
    url: z.url().meta({ description: "A signed URL. Expires in 1 hour." }),
    expires_at: z.iso.datetime().meta({ description: "When the signed URL expires." }),
    kept_until: z.iso.datetime().meta({
      description:
        "When the upload is deleted, unless an unfinished job uses it. `DELETE` does so earlier.",
    }),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 of the file, in hexadecimal." }),
    size_bytes: z.int().positive(),
    width: z.int().positive().meta({
      description: "In pixels, as displayed: after the orientation in the file's EXIF data.",
    }),
    height: z.int().positive(),
    format: receivedFormat,
  })
  .meta({ id: "Upload", description: "An image that requests can refer to." });
export type UploadResponse = z.infer<typeof upload>;

/** Lower case, as stored. */
export const uploadId = z.uuid().toLowerCase().meta({ description: "The id of an upload." });
