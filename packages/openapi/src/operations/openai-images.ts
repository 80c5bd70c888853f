import { openaiErrorBody, openaiImageRequest, openaiImages, toOpenAIError } from "@atelier/schemas";
import type { ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { errorExamples } from "../error-examples.ts";
import { errorHeaders } from "../error-answers.ts";
import { headerReferences, jobHeaders, rateHeaders, type HeaderName } from "../headers.ts";
import { parameterReferences } from "../parameters.ts";
import type { Samples } from "../sample-answers.ts";
import { examples, jsonAnswer } from "./answers.ts";
import { imageErrors } from "./generate.ts";

const madeHeaders: readonly HeaderName[] = [
  "X-Service-Job-Id",
  "X-Should-Retry",
  "Idempotent-Replayed",
  ...rateHeaders,
];

/** `POST /v1/images/generations`, as OpenAI's clients call it. */
export function openaiOperations(samples: Samples): ZodOpenApiPathsObject {
  return {
    "/v1/images/generations": {
      post: {
        operationId: "generateOpenAIImage",
        tags: ["Compatibility"],
        summary: "Generate an image as with OpenAI",
        description:
          "For OpenAI's client libraries: set their base URL to this server's, with `/v1`. What has no counterpart here is refused and never ignored. Moderation, price, idempotency, limits and waiting are those of `POST /v1/generate/image`; errors have OpenAI's shape, with our codes, and what is 422 or 451 elsewhere is 400 here, as with OpenAI. When the wait is over before the image is done, which is 202 elsewhere, the answer is 503 `job_unfinished`; the same request with the same `Idempotency-Key` waits again.",
        parameters: parameterReferences(["RequestId", "IdempotencyKey", "Prefer"]),
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: openaiImageRequest,
              examples: examples({
                url: ["A URL", { model: "builtin-illustrator", prompt: "a lighthouse at dusk" }],
                bytes: [
                  "The bytes of a wide WebP",
                  {
                    model: "builtin-illustrator",
                    prompt: "a lighthouse at dusk",
                    n: 1,
                    size: "1536x1024",
                    response_format: "b64_json",
                    output_format: "webp",
                  },
                ],
              }),
            },
          },
        },
        responses: {
          "200": jsonAnswer(
            "The image is done.",
            {
              schema: openaiImages,
              examples: examples({
                url: [
                  "A URL",
                  {
                    created: 1_795_341_604,
                    data: [{ url: samples.image.image_url }],
                    output_format: "png",
                  },
                ],
                bytes: [
                  "The bytes, cut short",
                  {
                    created: 1_795_341_604,
                    data: [{ b64_json: "UklGRg4AAABXRUJQVlA4IA==" }],
                    output_format: "webp",
                  },
                ],
              }),
            },
            madeHeaders,
          ),
          ...errorAnswers(samples),
        },
      },
    },
  };
}

/** The answers of all errors, by status. */
function errorAnswers(samples: Samples): ZodOpenApiResponsesObject {
  const errors = [
    ...[...imageErrors, "file_not_found" as const].map((code) => ({
      code,
      ...errorExamples[code],
    })),
    {
      code: "job_unfinished" as const,
      summary: "The image is not done yet, and is still being made",
      ...unfinished(samples),
    },
  ].map((error) => ({ ...error, ...toOpenAIError(error) }));
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, errorsOfStatus]) => [
      String(status),
      {
        description: errorsOfStatus.map(({ code }) => `\`${code}\``).join(", "),
        headers: headerReferences([
          "X-Request-Id",
          ...errorHeaders(status, "generation"),
          // Moderation refuses after the job existed.
          ...(status === 400 ? jobHeaders : []),
          ...(status === 503 ? (["Location"] as const) : []),
          "X-Should-Retry",
        ]),
        content: {
          "application/json": {
            schema: openaiErrorBody,
            examples: examples(
              Object.fromEntries(
                errorsOfStatus.map(({ code, summary, body }) => [code, [summary, body]]),
              ),
            ),
          },
        },
      },
    ]),
  );
}

function unfinished({ accepted }: Samples) {
  return {
    message: `The image is not done yet and is still being made, as job ${accepted.job_id}. Send the same request with the same Idempotency-Key to get it, or read GET ${accepted.poll_url}.`,
    details: null,
  };
}
