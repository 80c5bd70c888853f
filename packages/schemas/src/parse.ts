import { distance } from "fastest-levenshtein";
import type * as z from "zod";
import { AppError } from "./errors.ts";
import { otherNames } from "./texts/other-names.ts";
import { wordingOf, wordingOfValues } from "./texts/wording-of.ts";

/** One problem of a request. */
export interface RequestProblem {
  /** Path in the request, for example `scenes.2.prompt`; empty for the whole body. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Maximum number of problems in a response, which bounds its size. */
const maxProblems = 50;

/**
 * Parses a client's input with a schema.
 *
 * @throws AppError `invalid_request` with up to 50 problems in `details`.
 */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.infer<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const problems = result.error.issues
    .slice(0, maxProblems)
    .flatMap((issue) => describe(issue, schema, input))
    .filter(isToldOfPath)
    .slice(0, maxProblems);
  throw invalidRequest(...problems);
}

/** The error for a request with these problems. */
export function invalidRequest(...problems: readonly RequestProblem[]): AppError {
  return new AppError("invalid_request", describeProblems(problems), { details: problems });
}

/**
 * Limits of a value that has the wrong type, and wider limits of one that breaks a narrow one, only confuse. Zod
 * reports the limits of every integer before those of the schema.
 */
function isToldOfPath(
  { path, code }: RequestProblem,
  index: number,
  problems: readonly RequestProblem[],
): boolean {
  if (code === "custom") return true;
  const ofPath = (other: RequestProblem) => other.path === path;
  const isKind = problems.find(ofPath)?.code === code;
  return isKind && !problems.slice(index + 1).some((other) => ofPath(other) && other.code === code);
}

/** The message of an error that lists these problems in `details`: the first one, and what to do. */
export function describeProblems(problems: readonly RequestProblem[]): string {
  const { path, message } = problems[0] ?? { path: "", message: "is invalid" };
  const others = problems.length - 1;
  const correct = others > 0 ? `Correct this and ${others} more in details` : "Correct the request";
  return `${describeProblem(path || "The request", message)} ${correct} and send it again.`;
}

/** A problem as a sentence. Messages without a verb phrase follow the path after a colon. */
function describeProblem(path: string, message: string): string {
  const sentence = /^(must|is) /.test(message) ? `${path} ${message}` : `${path}: ${message}`;
  return sentence.endsWith("?") ? sentence : `${sentence}.`;
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType, input: unknown): RequestProblem[] {
  if (issue.code !== "unrecognized_keys") {
    const path = issue.path.join(".");
    if (issue.code === "invalid_value" && isMissing(input, issue.path)) {
      return [{ path, code: "required", message: `is required: ${wordingOfValues(issue.values)}` }];
    }
    return issue.message.endsWith("received undefined")
      ? [{ path, code: "required", message: "is required" }]
      : [{ path, code: issue.code, message: wordingOf(issue) }];
  }
  const known = knownKeys(schema, issue.path);
  return issue.keys.slice(0, maxProblems).map((key) => ({
    path: [...issue.path, key.slice(0, 100)].join("."),
    code: "unknown_property",
    message: `is not a known property${suggestName(key, known)}`,
  }));
}

/** Zod reports a missing value of an enumeration like a wrong one. */
function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>(
    (parent, step) => (parent as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step],
    input,
  );
  return value === undefined;
}

/** Returns the end of a sentence, such as `; did you mean "prompt"?`; empty when no known name is similar. */
function suggestName(key: string, known: readonly string[]): string {
  // A vendor's own name says more than a similar one of ours.
  const translated = Object.hasOwn(otherNames, key)
    ? otherNames[key]?.find((name) => known.includes(name))
    : undefined;
  const meant = translated ?? nearestName(key, known);
  return meant === null ? "" : `; did you mean "${meant}"?`;
}

/** Finds the known name that is most similar to another one; null if no name is similar. */
export function nearestName(key: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map((name) => ({ name, distance: distance(name, key.slice(0, 100).toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= Math.max(2, nearest.name.length / 3)
    ? nearest.name
    : null;
}

/** The parts of a schema's definition that are used here; which of them exist depends on its type. */
interface Definition {
  readonly shape?: Record<string, z.ZodType>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}

/** Returns the property names that the schema defines at a path. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let definition = definitionOf(schema);
  for (const step of path) {
    const next = definition.shape?.[String(step)] ?? definition.element ?? definition.valueType;
    if (next === undefined) return [];
    definition = definitionOf(next);
  }
  return Object.keys(definition.shape ?? {});
}

/** Unwraps optional, nullable and preprocessed schemas. */
function definitionOf(schema: z.ZodType): Definition {
  const definition = schema.def as Definition;
  // The input of a transform, and the output of a conversion before the schema.
  const isTransformed = definition.out?.def.type === "transform";
  const inner = definition.innerType ?? (isTransformed ? definition.in : definition.out);
  return inner === undefined ? definition : definitionOf(inner);
}
