import type { Request, Response } from "express";
import type { RequestContext } from "./context.ts";

/** What stands for requests that were answered before a route took them, by how they begin. */
const prefixes = ["/v1/", "/images/", "/docs/"];

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * The route that took a request, as it is written (`/v1/jobs/:id`), and never what the client sent:
 * there are only so many. `/v1/*` for one that was refused before its route, `unmatched` for the rest.
 *
 * @param path the whole path of the request, as it was before routers shortened it.
 */
export function routeTemplate(request: Request, response: Response, path: string): string {
  const { route } = request as { route?: { path: unknown } };
  const { baseUrl = request.baseUrl } = response.locals as Partial<RequestContext>;
  if (typeof route?.path === "string") return `${baseUrl}${route.path}`;
  const prefix = prefixes.find((one) => path.startsWith(one));
  return prefix === undefined ? "unmatched" : `${prefix}*`;
}

/** The method of a request; `other` for those that no route takes. */
export function knownMethod({ method }: Pick<Request, "method">): string {
  return methods.has(method) ? method : "other";
}
