import { errorCodes, openaiErrorBody, toOpenAIError } from "@atelier/schemas";
import type { ZodOpenApiResponsesObject } from "zod-openapi";
import { errorHeaders, type DescribedError } from "../error-responses.ts";
import { headerReferences, jobHeaders } from "../headers.ts";
import type { Samples } from "@atelier/schemas/endpoints";
import { examples } from "./responses.ts";

/** An error with an example of it. */
interface ErrorExample extends Pick<Parameters<typeof toOpenAIError>[0], "message"> {
  readonly code: Parameters<typeof toOpenAIError>[0]["code"];
  readonly summary: string;
  readonly details: Parameters<typeof toOpenAIError>[0]["details"];
}

function exampleOf(code: DescribedError): ErrorExample {
  const { summary, message, details } = errorCodes[code];
  return { code, summary, message, details };
}

/** Errors in OpenAI's format of an operation without a job, by status. */
export function readErrorResponses(codes: readonly DescribedError[]): ZodOpenApiResponsesObject {
  return responsesOf(codes.map(exampleOf), (status) => errorHeaders(status, "keyed"));
}

/** Errors in OpenAI's format of an operation that makes images, by status. */
export function imageErrorResponses(
  codes: readonly DescribedError[],
  { accepted }: Samples,
): ZodOpenApiResponsesObject {
  const unfinished: ErrorExample = {
    code: "job_unfinished",
    summary: "The wait expired before the image was done",
    message: `The image is not done yet and is still being made, as job ${accepted.job_id}. Send the same request again at once to get it, or read GET ${accepted.poll_url}.`,
    details: null,
  };
  return responsesOf([...codes.map(exampleOf), unfinished], (status) => [
    ...errorHeaders(status, "generation"),
    // Moderation refuses after the job was created.
    ...(status === 400 ? jobHeaders : []),
    ...(status === 503 ? (["Location"] as const) : []),
    "X-Should-Retry",
    "Atelier-Ignored",
  ]);
}

function responsesOf(
  errors: readonly ErrorExample[],
  headersOf: (status: number) => Parameters<typeof headerReferences>[0],
): ZodOpenApiResponsesObject {
  const presented = errors.map((error) => ({ ...error, ...toOpenAIError(error) }));
  return Object.fromEntries(
    [...Map.groupBy(presented, ({ status }) => status)].map(([status, errorsOfStatus]) => [
      String(status),
      {
        description: [...new Set(errorsOfStatus.map(({ body }) => `\`${body.error.code}\``))].join(
          ", ",
        ),
        headers: headerReferences(["X-Request-Id", ...headersOf(status)]),
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
