import { ApiError } from "../api.ts";
import { formatEur } from "../format.ts";
import { texts } from "../texts/console.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns an error of the admin port with the texts of the language in place of the messages of the service, which are
 * English. The text is that of its code and its reason, else that of its code; `ApiError.code` then has both.
 */
export function localize(error: unknown, { errors, fields } = texts.console): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, details, retryAfterSeconds, jobId } = error;
  const isList = Array.isArray(details);
  const values = ((isList ? details[0] : details) ?? {}) as Values;
  const named = `${error.code} ${String(values["reason"])}`;
  const code = Object.hasOwn(errors, named) ? named : error.code;
  const problem = problemOf(values, fields) || error.message;
  const message = errors[code]?.({ ...writeAmounts(values), problem }) ?? error.message;
  const localized = isList
    ? (details as Values[]).map((one) => ({ ...one, message: problemOf(one, fields) }))
    : details;
  const cause = error;
  return new ApiError(message, {
    status,
    code,
    details: localized,
    retryAfterSeconds,
    jobId,
    cause,
  });
}

/** The text for a property of a request, else the message of the service. */
function problemOf({ path, message }: Values, fields: Readonly<Record<string, string>>): string {
  return fields[String(path).split(".")[0] ?? ""] ?? (typeof message === "string" ? message : "");
}

/** The values of a text, with amounts as the pages print them. */
function writeAmounts(values: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name.endsWith("_eur") ? formatEur(String(value)) : String(value),
    ]),
  );
}
