import { locateJson, positionAt } from "@atelier/kit";
import * as z from "zod";

/**
 * Parses and checks the text of a file that an operator writes.
 *
 * @param name of the file, for messages.
 * @throws Error that lists every mistake with line and column, and what is allowed there.
 */
export function readJsonText<T extends z.ZodType>(
  text: string,
  schema: T,
  name: string,
): z.output<T> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${name} cannot be used: ${(cause as Error).message}`, { cause });
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(`${name} cannot be used:\n${describeIssues(text, schema, parsed.error)}`);
}

/**
 * Lists the problems of a value in a text, one a line.
 *
 * @param at path of the value in the text.
 */
export function describeIssues(
  text: string,
  schema: z.ZodType,
  error: z.ZodError,
  at: readonly PropertyKey[] = [],
): string {
  const lines = error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") {
      return [describe(text, [...at, ...issue.path], "value", deepest(issue).message)];
    }
    const allowed = keysAt(schema, issue.path).join(", ");
    return issue.keys.map((key) =>
      describe(text, [...at, ...issue.path, key], "key", `is unknown; allowed here: ${allowed}`),
    );
  });
  return lines.join("\n");
}

/** Where a value is in a text, or the nearest one that contains it, such as "line 3, column 5". */
export function describePosition(
  text: string,
  path: readonly PropertyKey[],
  at: "key" | "value" = "value",
): string {
  const { line, column } = positionAt(text, locateJson(text, path, at));
  return `line ${line}, column ${column}`;
}

function describe(
  text: string,
  path: readonly PropertyKey[],
  at: "key" | "value",
  message: string,
): string {
  const name = path.length === 0 ? "" : `${path.map(String).join(".")} `;
  return `  ${describePosition(text, path, at)}: ${name}${message}`;
}

/** The issue of the alternative that came nearest, instead of "Invalid input". */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const [inner] = issue.errors
    .map(([first]) => first)
    .filter((first) => first !== undefined)
    .toSorted(
      (one, other) => Number(one.code === "invalid_type") - Number(other.code === "invalid_type"),
    );
  return inner === undefined ? issue : deepest(inner);
}

/** The keys that an object at a path may have. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema);
  const [part, ...rest] = path;
  if (inner instanceof z.ZodUnion) {
    return inner.options.flatMap((option) => keysAt(option as z.ZodType, path));
  }
  if (inner instanceof z.ZodObject) {
    if (part === undefined) return Object.keys(inner.shape);
    const field: unknown = inner.shape[String(part)];
    return field === undefined ? [] : keysAt(field as z.ZodType, rest);
  }
  if (part === undefined) return [];
  if (inner instanceof z.ZodArray) return keysAt(inner.element as z.ZodType, rest);
  if (inner instanceof z.ZodRecord) return keysAt(inner.valueType as z.ZodType, rest);
  return [];
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
