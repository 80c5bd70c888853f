import { parseRequest, type KeyScope } from "@atelier/schemas";
import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import type * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { requireAdmission, requireScope } from "./authenticate.ts";
import { refuseBody } from "./body/refuse-body.ts";
import { forbidStoring } from "./forbid-storing.ts";
import { refuseIdempotencyKey } from "./idempotency-key.ts";
import { readPolicies } from "./limits/rate-limit.ts";
import { refuseQueryExcept } from "./refuse-query.ts";
import { keepBaseUrl } from "./route-template.ts";

type Method = "get" | "post" | "patch" | "delete";

/** The conditions of a route, which are checked in this order before its handler runs. */
interface RoutePolicy<Query> {
  /** The rate limit of the key that requests are taken from. */
  readonly limit: "generate" | "other";
  /**
   * The scope that the key must have, or several. Default: none, since every key may use the route or
   * sees a part of its results.
   */
  readonly scope?: KeyScope | readonly KeyScope[];
  /** The query parameters, which the handler receives. Default: any is refused. */
  readonly query?: z.ZodObject & z.ZodType<Query>;
  /** Converts the query parameters to what `query` parses. Default: they are parsed as they are. */
  readonly readQuery?: (parameters: Request["query"]) => object;
  /** Query parameters that are accepted without effect. Default: none. */
  readonly ignoredQuery?: readonly string[];
  /**
   * Why an `Idempotency-Key` is refused, and what to do instead. Default: the handler reads it, or it has
   * no effect because the route can be repeated safely.
   */
  readonly keyRefusal?: string;
  /** Reads the body. Default: one that is not empty is refused. */
  readonly body?: RequestHandler;
}

/** Handles a request that meets the conditions of its route. */
type Handler<Query> = (request: Request, response: Response, query: Query) => void | Promise<void>;

type AddRoute = <Query = undefined>(
  path: string,
  policy: RoutePolicy<Query>,
  handler: Handler<Query>,
) => void;

/** The routes of the API. No condition depends on the order in which routes are added. */
export interface Routes extends Readonly<Record<Method, AddRoute>> {
  readonly router: Router;
  /** The names of the query parameters of each route, such as `GET /jobs/:id/archive`. */
  readonly queries: ReadonlyMap<string, readonly string[]>;
}

/** Creates a router whose routes state their conditions. */
export function createRoutes(dependencies: ApiDependencies): Routes {
  const router = express.Router();
  router.use(keepBaseUrl);
  const policies = readPolicies(dependencies);
  const admissions = {
    generate: requireAdmission(policies.generate, dependencies),
    other: requireAdmission(policies.other, dependencies),
  };
  const queries = new Map<string, readonly string[]>();

  function addWith(method: Method): AddRoute {
    return (
      path,
      { limit, scope = [], query, readQuery, ignoredQuery = [], keyRefusal, body = refuseBody },
      handler,
    ) => {
      const names = [...Object.keys(query?.shape ?? {}), ...ignoredQuery];
      queries.set(`${method.toUpperCase()} ${path}`, names);
      router[method](
        path,
        admissions[limit],
        forbidStoring,
        [scope].flat().map(requireScope),
        query === undefined ? refuseQueryExcept(ignoredQuery) : [],
        keyRefusal === undefined ? [] : refuseIdempotencyKey(keyRefusal),
        body,
        (request: Request, response: Response) => {
          // Without a schema, the handler declares no query.
          const parameters = readQuery?.(request.query) ?? request.query;
          const parsed = query && parseRequest(query, parameters);
          return handler(request, response, parsed as Parameters<typeof handler>[2]);
        },
      );
    };
  }

  return {
    router,
    queries,
    get: addWith("get"),
    post: addWith("post"),
    patch: addWith("patch"),
    delete: addWith("delete"),
  };
}
