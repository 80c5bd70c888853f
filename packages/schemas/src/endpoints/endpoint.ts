import type * as z from "zod";
import type { AdminError, errorStatus, OperationError } from "../errors.ts";
import type { KeyScope, OwnedThing } from "../keys.ts";

/** Method and path, such as `GET /v1/presets/{id}`. */
type Route = `${"GET" | "POST" | "PATCH" | "DELETE"} ${"/v1" | "/admin/v1"}/${string}`;

/** The line of the operator log that a request of an operator leaves. */
export interface Recorded {
  /** That of the command with the same effect, or a name of its own. */
  readonly action: string;
  /** The action of a body with this property alone, which has a command of its own. */
  readonly alone?: Readonly<Record<string, string>>;
  /** Names of what it changes. Default: those of the properties of its body. */
  readonly fields?: readonly string[];
  /** Properties of its body whose values the line has until the account is erased. */
  readonly values?: readonly string[];
  /** Whether the operation writes the line itself, with its changes. Default: the router writes it before. */
  readonly byItself?: boolean;
}

/** Named examples, written as `name: [summary, value]`. */
export type Examples = Readonly<Record<string, readonly [summary: string | null, value: unknown]>>;

/** Bodies by their media type. */
type Content = Readonly<
  Record<
    string,
    { readonly schema?: z.ZodType; readonly examples?: Examples; readonly example?: string }
  >
>;

/** A JSON body and its examples. */
export interface JsonBody<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly examples: Examples;
  /** Default: `application/json`. The handler of another one receives the body itself. */
  readonly mediaType?: string;
  /** Whether a request without a body is one with an empty object. Default: false. */
  readonly isOptional?: boolean;
  /** Further media types, whose bodies the handler receives or sends itself. */
  readonly otherTypes?: Content;
}

interface Described {
  readonly description: string;
  /** Names of headers besides those of every response with a key. */
  readonly headers?: readonly string[];
}

/** A JSON response. */
export interface JsonResult<Schema extends z.ZodType = z.ZodType>
  extends JsonBody<Schema>, Described {}

/** A response of other media types, which the handler sends. */
export interface FileResult extends Described {
  readonly content: Content;
  /** The data of the events of a stream that have a schema of their own. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
}

/** Responses by their status; one without a body is only its description. */
type Results = Readonly<Record<number, JsonResult | FileResult | string>>;
type Params = Readonly<Record<string, z.ZodType<string>>>;

/** One operation of the HTTP API, from which its route, its documentation and its callers follow. */
export interface Endpoint<
  EndpointRoute extends Route = Route,
  EndpointParams extends Params | undefined = Params | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends JsonBody | undefined = JsonBody | undefined,
  EndpointResults extends Results = Results,
> {
  /** The `operationId` of the document. */
  readonly id: string;
  readonly route: EndpointRoute;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /**
   * The rate limit of the key that requests are taken from. Default: `other`. `polled` is the same limit for reads that
   * clients repeat: the rights of their key may be remembered for a second.
   */
  readonly limit?: "generate" | "other" | "polled";
  /** The scopes that the key must have, all of them; none when every key may send the request. */
  readonly scope: readonly KeyScope[];
  /** The kind of thing that it changes, by the parameter `id` of the path: makers change only their own. */
  readonly changes?: OwnedThing;
  /** Names of request headers besides that of every request. */
  readonly headers?: readonly string[];
  /** The parameters in braces of the path. */
  readonly params?: EndpointParams;
  /** Default: any query parameter is refused. */
  readonly query?: Query;
  /** Query parameters that are accepted without effect. */
  readonly ignoredQuery?: z.ZodObject;
  /** Default: a body that is not empty is refused. */
  readonly body?: Body;
  /** Whether it may create a job, which its errors then name. Default: false. */
  readonly createsJob?: boolean;
  /** The requests that the server of the caller receives, if it asks for them. Default: none. */
  readonly callbacks?: "batch" | "job";
  readonly results: EndpointResults;
  /** Error codes besides those of every operation with a key and of reading a body. */
  readonly errors?: readonly (OperationError | AdminError)[];
  /** Default: the format of this service. */
  readonly errorFormat?: "openai";
  /** How a write at the admin port is recorded. Without it, the operation only reads. */
  readonly recorded?: Recorded;
  /** Statuses that the specification defines for the operation, and that this version never returns. */
  readonly reserved?: readonly (typeof errorStatus)[OperationError][];
}

/** States one operation; its types are inferred. */
export function endpoint<
  const EndpointRoute extends Route,
  const EndpointResults extends Results,
  EndpointParams extends Params | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends JsonBody | undefined = undefined,
>(
  record: Endpoint<EndpointRoute, EndpointParams, Query, Body, EndpointResults>,
): Endpoint<EndpointRoute, EndpointParams, Query, Body, EndpointResults> {
  return record;
}

/** A JSON response with its examples. */
export function json<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  examples: Examples,
  headers: readonly string[] = [],
): JsonResult<Schema> {
  return { description, schema, examples, headers };
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The method and the path of an operation. */
export function splitRoute({ route }: Endpoint): {
  readonly method: string;
  readonly path: string;
} {
  const [method = "", path = ""] = route.split(" ");
  return { method, path };
}

/** The path parameters of an operation. */
export type ParamsOf<Of extends Endpoint> = {
  readonly [Name in keyof NonNullable<Of["params"]>]: string;
};

/** The query that the handler of an operation receives; undefined if it takes none. */
export type QueryOf<Of extends Endpoint> = Parsed<NonNullable<Of["query"]>>;

/** The body that the handler of an operation receives; undefined if it takes none. */
export type BodyOf<Of extends Endpoint> =
  NonNullable<Of["body"]> extends JsonBody<infer Schema> ? z.output<Schema> : undefined;

/** The query and the body that a caller sends; never if the operation takes none. */
export type QueryInput<Of extends Endpoint> = z.input<NonNullable<Of["query"]>>;
export type BodyInput<Of extends Endpoint> =
  NonNullable<Of["body"]> extends JsonBody<infer Schema> ? z.input<Schema> : never;

/** The body of the successful responses of an operation; undefined if they have none. */
export type ResultOf<Of extends Endpoint> = {
  [Status in keyof Of["results"]]-?: Of["results"][Status] extends
    | JsonResult<infer Schema>
    | undefined
    ? z.output<Schema>
    : undefined;
}[keyof Of["results"]];
