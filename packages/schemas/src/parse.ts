import type * as z from "zod";
import { distance } from "fastest-levenshtein";
import { AppError } from "./errors.ts";
import { wordingOf } from "./wording-of.ts";

/** One thing that is wrong with a request. */
export interface RequestProblem {
  /** Where it stands, for example `scenes.2.prompt`; empty for the body as a whole. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Whoever sends a hundred thousand mistakes is not told of each. */
const maxProblems = 50;

/**
 * Reads what a client sent by a schema.
 *
 * @throws AppError `invalid_request` with every problem in `details`, up to 50 of them.
 */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.infer<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const problems = result.error.issues
    .slice(0, maxProblems)
    .flatMap((issue) => describe(issue, schema))
    .slice(0, maxProblems);
  const [first] = problems;
  const where = first?.path ? `${first.path}: ` : "";
  const what = first?.message ?? "the request is not valid";
  const more = problems.length > 1 ? ` Details tell of ${problems.length - 1} more.` : "";
  throw new AppError(
    "invalid_request",
    `${where}${what}${what.endsWith("?") ? "" : "."}${more} Correct the request and send it again.`,
    { details: problems },
  );
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType): RequestProblem[] {
  if (issue.code !== "unrecognized_keys") {
    const path = issue.path.join(".");
    return issue.message.endsWith("received undefined")
      ? [{ path, code: "required", message: "is required" }]
      : [{ path, code: issue.code, message: wordingOf(issue) }];
  }
  const known = knownKeys(schema, issue.path);
  return issue.keys.slice(0, maxProblems).map((key) => ({
    path: [...issue.path, key.slice(0, 100)].join("."),
    code: "unknown_property",
    message: `Unknown property "${key.slice(0, 100)}"${suggest(key, known)}`,
  }));
}

function suggest(key: string, known: readonly string[]): string {
  const [nearest] = known
    .map((name) => ({ name, distance: distance(name, key.slice(0, 100).toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= Math.max(2, nearest.name.length / 3)
    ? `: did you mean "${nearest.name}"?`
    : "";
}

/** What is read of a schema's definition: which of these there are depends on its type. */
interface Definition {
  readonly shape?: Record<string, z.ZodType>;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly out?: z.ZodType;
}

/** The property names that the schema has at a path. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let definition = definitionOf(schema);
  for (const step of path) {
    const next = definition.shape?.[String(step)] ?? definition.element ?? definition.valueType;
    if (next === undefined) return [];
    definition = definitionOf(next);
  }
  return Object.keys(definition.shape ?? {});
}

/** Looks through optional, nullable and preprocessed schemas. */
function definitionOf(schema: z.ZodType): Definition {
  const definition = schema.def as Definition;
  const inner = definition.innerType ?? definition.out;
  return inner === undefined ? definition : definitionOf(inner);
}
