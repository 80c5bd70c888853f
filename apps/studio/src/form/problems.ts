import type { Job } from "@atelier/schemas";
import { ApiError, messageOf, messageOfCode } from "../api.ts";
import { texts } from "../texts.ts";

/** The error of a request or of a job, with the message for the user. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
  readonly retryAfterSeconds: number | null;
}

/** Describes an error of a request in the same form as that of a job. */
export function failureOf(error: unknown): Failure | null {
  if (error === null || error === undefined) return null;
  const message = messageOf(error);
  if (!(error instanceof ApiError)) {
    return { code: "unexpected", message, details: null, retryAfterSeconds: null };
  }
  const { code, details, retryAfterSeconds } = error;
  return { code, message, details, retryAfterSeconds };
}

/** Describes the error of a job in the same form as that of a request. */
export function failureOfJob(error: NonNullable<Job["error"]>): Failure;
export function failureOfJob(error: Job["error"]): Failure | null;
export function failureOfJob(error: Job["error"]): Failure | null {
  if (error === null) return null;
  const { error: code, message, details } = error;
  return {
    code,
    message: messageOfCode({ code, message, details }),
    details,
    retryAfterSeconds: null,
  };
}

interface Detail {
  readonly path?: string;
  readonly message?: string;
  readonly category?: string;
  readonly certainty?: string;
  readonly capability?: string;
}

/** The first entry of `details`, which is an object or a list of them. */
function firstDetail({ details }: Failure): Detail {
  const first: unknown = Array.isArray(details) ? details[0] : details;
  return typeof first === "object" && first !== null ? first : {};
}

/** Why moderation refused a text; null for other failures. */
export function refusalCategory(failure: Failure): string | null {
  const isRefusal = ["content_policy_violation", "content_illegal"].includes(failure.code);
  return isRefusal ? (firstDetail(failure).category ?? "other") : null;
}

/** The reason of a refusal in words, of its category. */
export function refusalReason(category: string): string {
  const { refusals } = texts.create;
  return category in refusals ? refusals[category as keyof typeof refusals] : refusals.other;
}

/** Advice on a refusal. An uncertain one quotes the words that it rests on. */
export function refusalHelp(failure: Failure, helpForPolicy: string): string {
  if (firstDetail(failure).certainty === "uncertain") return failure.message;
  return failure.code === "content_illegal" ? texts.create.refusalFinal : helpForPolicy;
}

/** A refusal beside the field that it names. */
function refusedField(failure: Failure, category: string): string {
  const help = refusalHelp(failure, texts.create.refusalPolicy);
  if (firstDetail(failure).certainty === "uncertain") return help;
  return `${texts.create.refusedField(refusalReason(category))} ${help}`;
}

/** Fields of errors that have no path. */
const fieldOfCode: Readonly<Record<string, string>> = {
  model_not_found: "model",
  unsupported_aspect_ratio: "aspect_ratio",
  unsupported_image_size: "image_size",
  references_not_supported: "reference_images",
};

const fieldOfCapability: Readonly<Record<string, string>> = { transparency: "background" };

/** The problems of a failure by field, such as `reference_images.0.description`. */
export function problemsByField(failure: Failure | null): ReadonlyMap<string, string> {
  if (failure === null) return new Map();
  const problems = new Map<string, string>();
  const category = refusalCategory(failure);
  const details = Array.isArray(failure.details) ? (failure.details as Detail[]) : [];
  for (const { path, message } of details) {
    if (path === undefined || path === "") continue;
    problems.set(
      path,
      category === null ? asSentence(message ?? failure.message) : refusedField(failure, category),
    );
  }
  if (problems.size > 0) return problems;
  const { capability } = firstDetail(failure);
  const field =
    fieldOfCode[failure.code] ??
    (failure.code === "model_not_capable" && capability !== undefined
      ? (fieldOfCapability[capability] ?? capability)
      : undefined);
  if (field !== undefined) problems.set(field, failure.message);
  return problems;
}

/** Messages of details begin in lower case, as the rest of a sentence. */
function asSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** The problems at a field and at what is within it. */
export function problemAt(
  problems: ReadonlyMap<string, string>,
  field: string,
): string | undefined {
  const exact = problems.get(field);
  if (exact !== undefined) return exact;
  for (const [path, message] of problems) if (path.startsWith(`${field}.`)) return message;
  return undefined;
}

/** Fields that a narrow screen folds. */
const settings = [
  "model",
  "aspect_ratio",
  "image_size",
  "n",
  "seed",
  "reference_images",
  "negative_prompt",
  "background",
  "strictness",
  "parameters",
];

/** Whether a setting has a problem. */
export function hasSettingsProblem(problems: ReadonlyMap<string, string>): boolean {
  return settings.some((field) => problemAt(problems, field) !== undefined);
}

const otherFields = ["prompt", "image", "mask", "markup", "strength"];

/** Fields of tools besides those of every request. */
const toolFields = ["bottom", "colors", "factor", "height", "left", "right", "top", "width"];

const fieldsOfTools = [...otherFields, ...toolFields, "model", "n", "seed", "strictness"];

/**
 * Whether the form shows a problem beside its field.
 *
 * @param isForTool whether it is the form of a tool, which has other fields.
 */
export function hasFieldProblem(
  problems: ReadonlyMap<string, string>,
  isForTool: boolean,
): boolean {
  const fields = isForTool ? fieldsOfTools : [...settings, ...otherFields];
  return fields.some((field) => problemAt(problems, field) !== undefined);
}
