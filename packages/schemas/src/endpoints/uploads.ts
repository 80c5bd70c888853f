import * as z from "zod";
import { upload, uploadId } from "../uploads.ts";
import { endpoint, json } from "./endpoint.ts";
import { createSamples, exampleUrl } from "./samples.ts";

const tag = "Uploads";
const sample = createSamples(exampleUrl).upload;
const params = { id: uploadId.meta({ examples: [sample.id] }) };
const one = (description: string, headers: readonly string[] = []) =>
  json(description, upload, { upload: ["An upload", sample] }, headers);

export const createUpload = endpoint({
  id: "createUpload",
  route: "POST /v1/uploads",
  tag,
  summary: "Upload an image",
  description:
    "Stores a PNG, JPEG, WebP or AVIF of at most 20 MB and 40 million pixels (a JPEG 50 million, an AVIF 24 million), as the only file of a form, or as the whole body with its own type (`Content-Type: image/png`). Requests use it by its `upload_id` or its `url` wherever they take a reference. It is decoded when a job uses it. The whole body must arrive within 30 seconds.",
  limit: "generate",
  scope: ["generate"],
  headers: ["UploadIdempotencyKey"],
  body: {
    mediaType: "multipart/form-data",
    schema: z.object({ file: z.string().meta({ format: "binary" }) }),
    examples: {},
  },
  results: { 201: one("The image is stored.", ["Idempotent-Replayed"]) },
  errors: ["upload_quota_exceeded", "upload_invalid", "idempotency_key_reused", "overloaded"],
});

export const readUpload = endpoint({
  id: "readUpload",
  route: "GET /v1/uploads/{id}",
  tag,
  summary: "Read an upload",
  description: "Returns the upload with a new signed URL.",
  scope: [],
  params,
  results: { 200: one("The upload.") },
  errors: ["upload_not_found"],
});

export const deleteUpload = endpoint({
  id: "deleteUpload",
  route: "DELETE /v1/uploads/{id}",
  tag,
  summary: "Delete an upload",
  description:
    "No new request can use it. Its file is removed at once, or after unfinished jobs that use it.",
  scope: ["generate"],
  changes: "upload",
  params,
  results: { 204: "The upload is deleted." },
  errors: ["upload_not_found"],
});

/** `/v1/uploads`. */
export const uploadEndpoints = [createUpload, readUpload, deleteUpload] as const;
