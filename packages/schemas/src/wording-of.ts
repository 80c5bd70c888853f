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

const measures: Readonly<Record<string, string>> = { string: "have", array: "have" };

/** What is wrong with a value, in words for whoever sent it: what it must be, and not how it was checked. */
export function wordingOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return `must ${measures[issue.origin] ?? "be"} at least ${issue.minimum}${unitOf(issue)}`;
    case "too_big":
      return `must ${measures[issue.origin] ?? "be"} at most ${issue.maximum}${unitOf(issue)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "invalid_key":
      return issue.issues[0] === undefined
        ? issue.message
        : `its name ${wordingOf(issue.issues[0])}`;
    default:
      return issue.message;
  }
}

function unitOf({ origin }: { readonly origin: string }): string {
  return { string: " characters", array: " items" }[origin] ?? "";
}
