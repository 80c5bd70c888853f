import { upload, uploadId, type OperationError } from "@atelier/schemas";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { errorResponses, keyedErrors } from "../error-responses.ts";
import { headerReferences, rateHeaders } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import type { Samples } from "@atelier/schemas/endpoints";
import { examples, imageForm, jsonResponse } from "./responses.ts";

const uploadErrors = [
  ...keyedErrors,
  "upload_not_found",
] as const satisfies readonly OperationError[];

/** `/v1/uploads`. */
export function uploadOperations(samples: Samples): ZodOpenApiPathsObject {
  const path = z.strictObject({ id: uploadId.meta({ examples: [samples.upload.id] }) });
  const response = {
    schema: upload,
    examples: examples({ upload: ["An upload", samples.upload] }),
  };
  return {
    "/v1/uploads": {
      post: {
        operationId: "createUpload",
        tags: ["Uploads"],
        summary: "Upload an image",
        description:
          "Stores a PNG, JPEG or WebP of at most 20 MB and 40 million pixels, as the only file of a form, or as the whole body with its own type (`Content-Type: image/png`). Requests use it by its `upload_id` or its `url` wherever they take a reference. It is decoded when a job uses it. The whole body must arrive within 30 seconds.",
        parameters: parameterReferences(["RequestId", "UploadIdempotencyKey"]),
        requestBody: {
          required: true,
          content: imageForm,
        },
        responses: {
          "201": jsonResponse("The image is stored.", response, [
            ...rateHeaders,
            "Idempotent-Replayed",
          ]),
          ...errorResponses(
            [
              ...keyedErrors,
              "request_too_large",
              "unsupported_media_type",
              "upload_quota_exceeded",
              "upload_invalid",
              "idempotency_key_reused",
              "overloaded",
            ],
            "keyed",
          ),
        },
      },
    },
    "/v1/uploads/{id}": {
      get: {
        operationId: "readUpload",
        tags: ["Uploads"],
        summary: "Read an upload",
        description: "Returns the upload with a new signed URL.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "200": jsonResponse("The upload.", response, rateHeaders),
          ...errorResponses(uploadErrors, "keyed"),
        },
      },
      delete: {
        operationId: "deleteUpload",
        tags: ["Uploads"],
        summary: "Delete an upload",
        description:
          "No new request can use it. Its file is removed at once, or after unfinished jobs that use it.",
        requestParams: { path },
        parameters: parameterReferences(["RequestId"]),
        responses: {
          "204": {
            description: "The upload is deleted.",
            headers: headerReferences(["X-Request-Id", ...rateHeaders]),
          },
          ...errorResponses(uploadErrors, "keyed"),
        },
      },
    },
  };
}
