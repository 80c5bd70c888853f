import { AppError } from "@atelier/schemas";
import type { Express, Request, Response } from "express";

/** The properties of a layer of Express's router that are used here. */
interface Layer {
  readonly match: (path: string) => { readonly path: string } | false;
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
}

/** Endings of a path that are looked up; no route has more segments. */
const maxSegments = 6;

/**
 * Refuses a request that matched no route: names the methods of its path, or the path under `/v1` that it
 * ends with, since base URLs of clients lack `/v1` or have it twice.
 *
 * @param app with all routes.
 */
export function refuseUnknownRoute(app: Express, publicUrl: string) {
  return ({ method, path }: Request, response: Response): never => {
    const shown = path.slice(0, 200);
    const methods = methodsAt(app, path);
    if (methods.length > 0) {
      response.set("Allow", methods.join(", "));
      const listed = methods.join(" and ");
      throw notFound(
        `${method} ${shown} does not exist: this path has ${listed}. Correct the method.`,
      );
    }
    const meant = findMeant(app, path);
    const advice =
      meant === null
        ? "Correct the method or the path."
        : `Did you mean ${publicUrl}${meant}? Correct the base URL of your client.`;
    throw notFound(`${method} ${shown} does not exist. ${advice}`);
  };
}

function notFound(message: string): AppError {
  return new AppError("not_found", message);
}

/** The methods that an application has at a path, in the order of the alphabet. */
function methodsAt(app: Express, path: string): string[] {
  const methods = new Set(matchingMethods(app.router.stack as unknown as readonly Layer[], path));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

function matchingMethods(stack: readonly Layer[], path: string): string[] {
  return stack.flatMap((layer) => {
    const { route, handle } = layer;
    if (route === undefined && handle.stack === undefined) return [];
    const match = layer.match(path);
    if (match === false) return [];
    if (route !== undefined) {
      // `_all` marks guards before the route itself.
      return Object.keys(route.methods)
        .filter((name) => name !== "_all")
        .map((name) => name.toUpperCase());
    }
    return matchingMethods(handle.stack ?? [], path.slice(match.path.length) || "/");
  });
}

/** The longest ending of a path that is a path under `/v1`; null if none is. */
function findMeant(app: Express, path: string): string | null {
  const segments = path.split("/").filter((segment) => segment !== "");
  const endings = segments
    .map((_, start) => `/v1/${segments.slice(start).join("/")}`)
    .slice(-maxSegments);
  return endings.find((ending) => methodsAt(app, ending).length > 0) ?? null;
}
