import { assertMayChangeThing, type Caller } from "@atelier/accounts";
import { parseRequest, type AppError, type KeyScope } from "@atelier/schemas";
import {
  splitRoute,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ResultOf,
} from "@atelier/schemas/endpoints";
import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import { requireAdmission, requireScope, type AdmissionDependencies } from "./authenticate.ts";
import { readBody, readOptionalBody } from "./body/read-body.ts";
import { refuseBody } from "./body/refuse-body.ts";
import type { Needs } from "../dependencies.ts";
import { contextOf } from "./context.ts";
import { forbidStoring } from "./forbid-storing.ts";
import { refuseIdempotencyKey } from "./idempotency-key.ts";
import { readPolicies } from "./limits/rate-limit.ts";
import { refuseQueryExcept } from "./refuse-query.ts";
import { keepBaseUrl } from "./route-template.ts";

type Method = "get" | "post" | "patch" | "delete";

/** Handles a request that meets the conditions of its route. */
type Handler<Query> = (request: Request, response: Response, query: Query) => void | Promise<void>;

/** A request that meets the conditions of its endpoint, parsed. */
interface EndpointRequest<Of extends Endpoint, Sender> {
  readonly caller: Sender;
  readonly params: ParamsOf<Of>;
  readonly query: QueryOf<Of>;
  readonly body: BodyOf<Of>;
  readonly request: Request;
  /** For headers and charges; the router sends what the handler returns. */
  readonly response: Response;
}

type IsSingle<Key, All = Key> = Key extends unknown ? ([All] extends [Key] ? true : false) : never;

/** The body of the response, or its status and its body when the endpoint has several statuses. */
type EndpointAnswer<Of extends Endpoint> =
  IsSingle<keyof Of["results"]> extends true
    ? ResultOf<Of> extends undefined
      ? void
      : ResultOf<Of>
    : readonly [status: keyof Of["results"], body: ResultOf<Of>];

interface EndpointOptions {
  /** Converts the query parameters to what the record parses. Default: they are parsed as they are. */
  readonly readQuery?: (parameters: Request["query"]) => object;
  /**
   * Why an `Idempotency-Key` is refused, and what to do instead. Default: the handler reads it, or it has
   * no effect because the route can be repeated safely.
   */
  readonly keyRefusal?: string;
  /** Reads the body. Default: JSON if the record has a body; otherwise one that is not empty is refused. */
  readonly body?: RequestHandler;
}

interface ParamOptions extends EndpointOptions {
  /** Creates the error for an id in the path that has the wrong form, as for an unknown one. */
  readonly notFound: (given: string) => AppError;
}

type AddEndpoint<Sender> = <Of extends Endpoint>(
  endpoint: Of,
  handler: (request: EndpointRequest<Of, Sender>) => Promise<EndpointAnswer<Of>>,
  ...options: [NonNullable<Of["params"]>] extends [never] ? [EndpointOptions?] : [ParamOptions]
) => void;

type SendEndpoint = <Of extends Endpoint>(
  endpoint: Of,
  handler: Handler<QueryOf<Of>>,
  options?: EndpointOptions,
) => void;

/** The routes of the API. No condition depends on the order in which routes are added. */
export interface Routes<Sender = Caller> {
  readonly router: Router;
  /** The names of the query parameters of each route, such as `GET /jobs/:id/archive`. */
  readonly queries: ReadonlyMap<string, readonly string[]>;
  /** The scopes that a key needs for each route, by the same names. */
  readonly scopes: ReadonlyMap<string, readonly KeyScope[]>;
  /** Adds the route of an endpoint, whose conditions its record states. */
  readonly add: AddEndpoint<Sender>;
  /**
   * Adds the route of an endpoint whose handler parses and sends itself, such as files and streams.
   *
   * @throws Error for one that is checked or recorded before its handler, which only `add` does.
   */
  readonly send: SendEndpoint;
}

/** The conditions that the routes below a path have in common. */
interface Conditions<Sender> {
  readonly prefix: "/v1" | "/admin/v1";
  /** Decides who may send a request, before its query and its body are read. */
  readonly admit: (endpoint: Endpoint) => RequestHandler[];
  /** Reads the body of endpoints that have one. */
  readonly readBody: (endpoint: Endpoint) => RequestHandler;
  /** The sender of an admitted request. */
  readonly senderOf: (response: Response) => Sender;
  /** Runs before a handler, which does not run if it throws. */
  readonly before?: (
    endpoint: Endpoint,
    request: EndpointRequest<Endpoint, Sender>,
  ) => Promise<void>;
  /** Runs after a handler. */
  readonly after?: (endpoint: Endpoint, request: EndpointRequest<Endpoint, Sender>) => void;
}

/** Creates the router of `/v1`, whose routes state their conditions. */
export function createRoutes(dependencies: AdmissionDependencies & Needs<"database">): Routes {
  const policies = readPolicies(dependencies);
  const admissions = {
    generate: requireAdmission(policies.generate, dependencies),
    other: requireAdmission(policies.other, dependencies),
    polled: requireAdmission(policies.polled, dependencies),
  };
  return createRouter({
    prefix: "/v1",
    admit: ({ limit = "other", scope }) => [
      admissions[limit],
      forbidStoring,
      ...scope.map(requireScope),
    ],
    readBody: ({ body }) => (body?.isOptional === true ? readOptionalBody : readBody),
    senderOf: (response) => contextOf(response).caller,
    async before({ changes }, { caller, params: { id = "" } }) {
      if (changes === undefined) return;
      await assertMayChangeThing(dependencies.database, caller, changes, id);
    },
    after(endpoint, { caller: { accountId } }) {
      const changesRights =
        splitRoute(endpoint).method !== "GET" && endpoint.scope.includes("manage");
      // What the keys of the account may do has changed.
      if (changesRights) dependencies.admissions.forget(accountId);
    },
  });
}

/** Creates a router whose routes state their conditions. */
export function createRouter<Sender>(conditions: Conditions<Sender>): Routes<Sender> {
  const router = express.Router();
  router.use(keepBaseUrl);
  const queries = new Map<string, readonly string[]>();
  const scopes = new Map<string, readonly KeyScope[]>();

  /** The conditions of a route are checked in this order before its handler runs. */
  function send(
    endpoint: Endpoint,
    handler: Handler<QueryOf<Endpoint>>,
    { readQuery, keyRefusal, body: reader }: EndpointOptions = {},
  ): void {
    const { scope, query, body } = endpoint;
    const { method, path } = splitRoute(endpoint);
    const route = path.slice(conditions.prefix.length).replaceAll(/\{(\w+)\}/g, ":$1");
    const ignoredQuery = Object.keys(endpoint.ignoredQuery?.shape ?? {});
    queries.set(`${method} ${route}`, [...Object.keys(query?.shape ?? {}), ...ignoredQuery]);
    scopes.set(`${method} ${route}`, scope);
    router[method.toLowerCase() as Method](
      route,
      conditions.admit(endpoint),
      query === undefined ? refuseQueryExcept(ignoredQuery) : [],
      keyRefusal === undefined ? [] : refuseIdempotencyKey(keyRefusal),
      reader ?? (body === undefined ? refuseBody : conditions.readBody(endpoint)),
      (request: Request, response: Response) => {
        const parameters = readQuery?.(request.query) ?? request.query;
        // Without a schema, the handler declares no query.
        const parsed = query && parseRequest(query, parameters);
        return handler(request, response, parsed as QueryOf<Endpoint>);
      },
    );
  }

  function add(
    endpoint: Endpoint,
    handler: (request: EndpointRequest<Endpoint, Sender>) => Promise<unknown>,
    { notFound, ...options }: Partial<ParamOptions> = {},
  ): void {
    const { params, body, results } = endpoint;
    const [onlyStatus = 200, ...otherStatuses] = Object.keys(results).map(Number);
    const answer: Handler<QueryOf<Endpoint>> = async (request, response, query) => {
      const asked = {
        caller: conditions.senderOf(response),
        params: readParams(request.params, params, notFound),
        query,
        body: body && parseRequest(body.schema, request.body),
        request,
        response,
      };
      await conditions.before?.(endpoint, asked);
      const answered = await handler(asked);
      conditions.after?.(endpoint, asked);
      const [status, sent] =
        otherStatuses.length > 0 ? (answered as [number, unknown]) : [onlyStatus, answered];
      response.status(status);
      if (sent === undefined) response.end();
      else response.json(sent);
    };
    send(endpoint, answer, options);
  }

  return {
    router,
    queries,
    scopes,
    add: add as AddEndpoint<Sender>,
    send(endpoint: Endpoint, handler, options) {
      if (endpoint.changes !== undefined || endpoint.recorded !== undefined) {
        throw new Error(`${endpoint.route} needs add, which checks or records it first`);
      }
      send(endpoint, handler as Handler<QueryOf<Endpoint>>, options);
    },
  };
}

function readParams(
  given: Request["params"],
  schemas: Endpoint["params"] = {},
  notFound?: ParamOptions["notFound"],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const parsed = schema.safeParse(given[name]);
      if (!parsed.success) throw notFound?.(String(given[name])) ?? parsed.error;
      return [name, parsed.data];
    }),
  );
}
