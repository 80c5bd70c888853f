import * as z from "zod";
import type { ErrorDetails } from "../error-codes.ts";
import { errorStatus, type ErrorCode } from "../errors.ts";

/** Body of every response of the OpenAI-compatible operations that is not a 2xx. */
export const openaiErrorBody = z
  .strictObject({
    error: z.strictObject({
      message: z.string().meta({ description: "What is wrong, and what to do." }),
      type: z.string().meta({ description: "OpenAI's type of the error." }),
      code: z.string().meta({
        description:
          "A stable error code of this service; `content_policy_violation` for every refusal by moderation.",
      }),
      param: z.string().nullable().meta({ description: "The invalid parameter." }),
      moderation_details: z
        .strictObject({
          moderation_stage: z.enum(["input", "output", "unknown"]).meta({
            description: "What was refused: the request, or the generated image.",
          }),
          categories: z.array(z.string()).meta({ description: "Why, such as `gore`." }),
        })
        .optional()
        .meta({ description: "Only for a refusal by moderation." }),
    }),
  })
  .meta({ id: "OpenAIError" });
type OpenAIErrorBody = z.infer<typeof openaiErrorBody>;
type ModerationDetails = NonNullable<OpenAIErrorBody["error"]["moderation_details"]>;

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

/** OpenAI's type and code of a refusal by moderation, which its clients look for. */
const refusal = { type: "image_generation_user_error", code: "content_policy_violation" };
const refusalCodes: readonly string[] = [
  "content_policy_violation",
  "content_illegal",
  "provider_refused",
];

/** An error response in OpenAI's format. */
interface OpenAIError {
  readonly status: number;
  readonly body: OpenAIErrorBody;
}

/** An error of this service, or `job_unfinished`, which only the OpenAI-compatible operations return. */
interface OwnError {
  readonly code: ErrorCode | "job_unfinished";
  readonly message: string;
  readonly details: ErrorDetails;
}

/**
 * Converts an error to OpenAI's format, with the code of this service. Errors that are 422 or 451
 * elsewhere are 400, as with OpenAI, so that its clients throw the same classes. A refusal by moderation,
 * also by a provider's, is 400 with OpenAI's code and `moderation_details`.
 *
 * @param error.code an error code, or `job_unfinished`, when the wait expires; other operations
 *   return 202.
 */
export function toOpenAIError(error: OwnError): OpenAIError {
  const { code, details } = error;
  const param = paramOf(firstDetail(details));
  const message = describe(error, param);
  if (refusalCodes.includes(code)) {
    const moderation_details = describeRefusal(details);
    return { status: 400, body: { error: { message, ...refusal, param, moderation_details } } };
  }
  const own = errorStatus[code === "job_unfinished" ? "overloaded" : code];
  const status = own === 422 ? 400 : own;
  const type = openaiTypes[status] ?? "invalid_request_error";
  return { status, body: { error: { message, type, code, param } } };
}

type Detail = Readonly<Record<string, unknown>>;

function detailsOf(details: ErrorDetails): readonly Detail[] {
  const all: readonly unknown[] = Array.isArray(details) ? details : [details];
  return all.filter((one): one is Detail => typeof one === "object" && one !== null);
}

function firstDetail(details: ErrorDetails): Detail {
  return detailsOf(details)[0] ?? {};
}

const stages: Readonly<Record<string, ModerationDetails["moderation_stage"]>> = {
  request: "input",
  image: "output",
};

/** The stage and the categories of a refusal; the rules and models of this service judge requests. */
function describeRefusal(details: ErrorDetails): ModerationDetails {
  const {
    category,
    categories = [],
    stage = category === undefined ? null : "request",
  } = firstDetail(details);
  const named: readonly unknown[] = Array.isArray(categories) ? categories : [];
  return {
    moderation_stage: stages[String(stage)] ?? "unknown",
    categories: [category, ...named].filter((one) => typeof one === "string"),
  };
}

/** Further problems that a message lists. */
const maxListed = 5;

/**
 * Words a message without `details`, which OpenAI's format does not have: names the parameter instead,
 * adds the category of a refusal, and lists further problems.
 */
function describe({ message, details }: OwnError, param: string | null): string {
  const others = detailsOf(details).slice(1, 1 + maxListed);
  const listed = others
    .map((detail) => `${paramOf(detail) ?? "the request"}: ${String(detail["message"])}`)
    .join("; ");
  const worded = message
    .replace(
      "Change the text that details[0].path names;",
      `Change ${param === null ? "the text" : `the text of ${param}`};`,
    )
    .replace(
      /Correct this and \d+ more in details and send it again\./,
      `Also wrong: ${listed}. Correct all and send the request again.`,
    );
  const { category } = firstDetail(details);
  if (typeof category !== "string" || worded.includes(`(${category})`)) return worded;
  return `${worded} Category: ${category}.`;
}

/** How this service names the sources of the images of an edit, which OpenAI's parameters lack. */
const imagePath =
  /^(?:(mask|markup)|image|reference_images(?:\.\d+)?)(?:\.(?:upload_id|url|job_id))?$/;

/** Fields of this service that follow from one of OpenAI's parameters. */
const ownNames: Readonly<Record<string, string>> = {
  image_size: "size",
  aspect_ratio: "size",
  width: "size",
  height: "size",
  strictness: "moderation",
};

/** Returns the parameter of OpenAI's that a problem is about; null if it is about none. */
function paramOf({ path, code }: Detail): string | null {
  if (typeof path !== "string" || path === "") return null;
  // It is named as the request has it.
  if (code === "without_effect") return path;
  if (Object.hasOwn(ownNames, path)) return ownNames[path] ?? null;
  return path.replace(imagePath, (_, mask: string | undefined) => mask ?? "image");
}
