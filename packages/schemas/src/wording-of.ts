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

/** Describes a validation issue for the client: what the value must be. */
export function wordingOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === "too_small") {
    if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
    return boundOf(issue.origin, `at least ${issue.minimum}`);
  }
  if (issue.code === "too_big") return boundOf(issue.origin, `at most ${issue.maximum}`);
  if (issue.code === "invalid_value") {
    const values = issue.values.map((value) => JSON.stringify(value)).join(", ");
    return issue.values.length === 1 ? `must be ${values}` : `must be one of ${values}`;
  }
  const [inner] = issue.code === "invalid_key" ? issue.issues : [];
  return inner === undefined ? issue.message : `keys ${wordingOf(inner)}`;
}

function boundOf(origin: string, bound: string): string {
  if (origin === "string") return `must have ${bound} characters`;
  return origin === "array" ? `must have ${bound} items` : `must be ${bound}`;
}
