import type * as z from "zod";
import type { OperationError } from "../errors.ts";
import type { KeyScope } from "../keys.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Named examples, written as `name: [summary, value]`. */
export type Examples = Readonly<Record<string, readonly [summary: string, value: unknown]>>;

/** A JSON body and its examples. */
export interface JsonBody<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly examples: Examples;
}

/** A JSON response. */
export interface JsonResult<Schema extends z.ZodType = z.ZodType> extends JsonBody<Schema> {
  readonly description: string;
}

/** Responses by their status; one without a body is only its description. */
type Results = Readonly<Record<number, JsonResult | string>>;
type Params = Readonly<Record<string, z.ZodType<string>>>;

/** One operation of the HTTP API, from which its route, its documentation and its callers follow. */
export interface Endpoint<
  EndpointMethod extends Method = Method,
  Path extends `/v1/${string}` = `/v1/${string}`,
  EndpointParams extends Params | undefined = Params | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  EndpointResults extends Results = Results,
> {
  /** The `operationId` of the document. */
  readonly id: string;
  readonly method: EndpointMethod;
  readonly path: Path;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The rate limit of the key that requests are taken from. Default: `other`. */
  readonly limit?: "generate" | "other";
  /** The scopes that the key must have, all of them; none when every key may send the request. */
  readonly scope: readonly KeyScope[];
  /** The parameters in braces of the path. */
  readonly params?: EndpointParams;
  /** Default: any query parameter is refused. */
  readonly query?: Query;
  /** Default: a body that is not empty is refused. */
  readonly body?: Body extends z.ZodType ? JsonBody<Body> : undefined;
  readonly results: EndpointResults;
  /** Error codes besides those of every operation with a key and of reading a body. */
  readonly errors: readonly OperationError[];
}

/** States one operation; its types are inferred. */
export function endpoint<
  const EndpointMethod extends Method,
  const Path extends `/v1/${string}`,
  const EndpointResults extends Results,
  EndpointParams extends Params | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  record: Endpoint<EndpointMethod, Path, EndpointParams, Query, Body, EndpointResults>,
): Endpoint<EndpointMethod, Path, EndpointParams, Query, Body, EndpointResults> {
  return record;
}

/** A JSON response with its examples. */
export function json<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  examples: Examples,
): JsonResult<Schema> {
  return { description, schema, examples };
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The path parameters of an operation. */
export type ParamsOf<Of extends Endpoint> = {
  readonly [Name in keyof NonNullable<Of["params"]>]: string;
};

/** The query that the handler of an operation receives; undefined if it takes none. */
export type QueryOf<Of extends Endpoint> = Parsed<NonNullable<Of["query"]>>;

/** The body that the handler of an operation receives; undefined if it takes none. */
export type BodyOf<Of extends Endpoint> =
  NonNullable<Of["body"]> extends JsonBody<infer Schema> ? z.output<Schema> : undefined;

/** The body of the successful responses of an operation; undefined if they have none. */
export type ResultOf<Of extends Endpoint> = {
  [Status in keyof Of["results"]]: Of["results"][Status] extends JsonResult<infer Schema>
    ? z.output<Schema>
    : undefined;
}[keyof Of["results"]];
