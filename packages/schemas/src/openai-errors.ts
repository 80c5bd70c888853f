import * as z from "zod";
import { errorStatus, type ErrorCode, type ErrorDetails } from "./errors.ts";

/** Body of every response of the OpenAI-compatible operations that is not a 2xx. */
export const openaiErrorBody = z
  .strictObject({
    error: z.strictObject({
      message: z.string().meta({ description: "What is wrong, and what to do." }),
      type: z.string().meta({ description: "OpenAI's type of the error." }),
      code: z.string().meta({ description: "A stable error code of this service." }),
      param: z.string().nullable().meta({ description: "The invalid parameter." }),
    }),
  })
  .meta({ id: "OpenAIError" });
type OpenAIErrorBody = z.infer<typeof openaiErrorBody>;

/** OpenAI's error types by status. */
const openaiTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "insufficient_quota",
  403: "permission_error",
  429: "rate_limit_error",
  500: "server_error",
  502: "server_error",
  503: "server_error",
};

/** An error response in OpenAI's format. */
interface OpenAIError {
  readonly status: number;
  readonly body: OpenAIErrorBody;
}

/**
 * Converts an error to OpenAI's format, with the code of this service. Errors that are 422 or 451
 * elsewhere are 400, as with OpenAI, so that its clients throw the same classes.
 *
 * @param error.code an error code, or `job_unfinished`, which only these operations return when the
 *   wait expires; other operations return 202.
 */
export function toOpenAIError(error: {
  readonly code: ErrorCode | "job_unfinished";
  readonly message: string;
  readonly details: ErrorDetails;
}): OpenAIError {
  const { code } = error;
  const message = withCategory(error.message, error.details);
  const own = errorStatus[code === "job_unfinished" ? "overloaded" : code];
  const status = own === 422 || own === 451 ? 400 : own;
  const type = openaiTypes[status] ?? "invalid_request_error";
  return { status, body: { error: { message, type, code, param: paramOf(error.details) } } };
}

/** How this service names the sources of the images of an edit, which OpenAI's parameters lack. */
const imagePath = /^(?:(mask)|image|reference_images\.\d+)\.(?:upload_id|url)$/;

/** Adds the category of a refusal by moderation, since OpenAI's format has no field for it. */
function withCategory(message: string, details: ErrorDetails): string {
  const { category } = firstDetail(details);
  if (typeof category !== "string" || message.includes(`(${category})`)) return message;
  return `${message} Category: ${category}.`;
}

function firstDetail(details: ErrorDetails): Readonly<Record<string, unknown>> {
  const first: unknown = Array.isArray(details) ? details[0] : details;
  return typeof first === "object" && first !== null ? (first as Record<string, unknown>) : {};
}

/** Returns the parameter of the first problem in an error's details. */
function paramOf(details: ErrorDetails): string | null {
  const { path } = firstDetail(details);
  if (typeof path !== "string" || path === "") return null;
  return path.replace(imagePath, (_, mask: string | undefined) => mask ?? "image");
}
