import type * as z from "zod";

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Formats without a message of their own, by the name that zod gives them. */
const formats: Readonly<Record<string, string>> = {
  uuid: "an id such as 019a9f3c-5f0e-7c31-9b7d-000000000001",
  url: "a valid URL",
  datetime: "a time such as 2026-11-22T12:00:00Z",
  date: "a day such as 2026-11-22",
  base64: "base64",
};

/** Describes a validation issue for the client: what the value must be. */
export function wordingOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === "too_small") {
    if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
    return boundOf(issue.origin, `at least ${issue.minimum}`);
  }
  if (issue.code === "too_big") return boundOf(issue.origin, `at most ${issue.maximum}`);
  if (issue.code === "invalid_value") return `must be ${wordingOfValues(issue.values)}`;
  if (issue.code === "invalid_format" && issue.message.startsWith("Invalid ")) {
    const format = formats[issue.format];
    return format === undefined ? issue.message : `must be ${format}`;
  }
  const [inner] = issue.code === "invalid_key" ? issue.issues : [];
  return inner === undefined ? issue.message : `keys ${wordingOf(inner)}`;
}

/** Describes the only values that a property accepts. */
export function wordingOfValues(accepted: readonly unknown[]): string {
  const values = accepted.map((value) => JSON.stringify(value)).join(", ");
  return accepted.length === 1 ? values : `one of ${values}`;
}

function boundOf(origin: string, bound: string): string {
  const plural = bound.endsWith(" 1") ? "" : "s";
  if (origin === "string") return `must have ${bound} character${plural}`;
  return origin === "array" ? `must have ${bound} item${plural}` : `must be ${bound}`;
}
