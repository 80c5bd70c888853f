import type { Express } from "express";

/** The inspected properties of a layer of Express's router. */
interface Layer {
  readonly rawPath: unknown;
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** All routes of an application in OpenAPI notation, such as `GET /v1/jobs/{id}`. */
export function listRoutes(app: Express): string[] {
  return routesOf(app.router.stack as unknown as readonly Layer[], "");
}

function routesOf(stack: readonly Layer[], prefix: string): string[] {
  return stack.flatMap(({ rawPath, handle, route }) => {
    if (route !== undefined) {
      const path = `${prefix}${route.path}`.replaceAll(/:(\w+)/g, "{$1}");
      // `_all` marks guards before the route itself.
      const methods = Object.keys(route.methods).filter((method) => method !== "_all");
      return methods.map((method) => `${method.toUpperCase()} ${path}`);
    }
    return routesOf(handle.stack ?? [], rawPath === "/" ? prefix : `${prefix}${String(rawPath)}`);
  });
}
