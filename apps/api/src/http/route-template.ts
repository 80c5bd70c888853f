import type { NextFunction, Request, Response } from "express";
import type { RequestContext } from "./context.ts";

/** Templates, by path prefix, of requests that were refused before they reached a route. */
const prefixes = ["/v1/", "/images/", "/docs/", "/studio/", "/c2pa/", "/s/"];

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Keeps the path of a router for `routeTemplate`: Express removes it after the router. */
export function keepBaseUrl(request: Request, response: Response, next: NextFunction): void {
  response.locals["baseUrl"] = request.baseUrl;
  next();
}

/**
 * Returns the template of the matched route (`/v1/jobs/:id`), never the client's path, so that the
 * number of values is bounded. Returns `/v1/*` for a request that was refused before its route, and
 * `unmatched` for others.
 *
 * @param path the full path of the request, before routers shortened it.
 */
export function routeTemplate(request: Request, response: Response, path: string): string {
  const { route } = request as { route?: { path: unknown } };
  const { baseUrl = request.baseUrl } = response.locals as Partial<RequestContext>;
  if (typeof route?.path === "string") return `${baseUrl}${route.path}`;
  const prefix = prefixes.find((one) => path.startsWith(one));
  return prefix === undefined ? "unmatched" : `${prefix}*`;
}

/** The path of a request for logs, without what follows `/s/`: it is the secret of a shared page. */
export function loggedPath(path: string): string {
  const [before = "", ...rest] = path.split(/\/s\//i);
  return rest.length === 0 ? path : `${before}/s/*`;
}

/** The method of a request; `other` for methods that no route uses. */
export function knownMethod({ method }: Pick<Request, "method">): string {
  return methods.has(method) ? method : "other";
}
