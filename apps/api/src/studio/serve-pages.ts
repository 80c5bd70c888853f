import { join } from "node:path";
import { AppError } from "@atelier/schemas";
import express, { type Router } from "express";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { findBuiltFile } from "./find-built-file.ts";
import { pageFile, readPageLanguage } from "./page-language.ts";
import { sendBuiltFile } from "./send-built-file.ts";

/** For assets, whose names contain a hash of their content. */
const immutable = "public, max-age=31536000, immutable";

/**
 * Serves the built files of Studio or of the operators' console below the path of the router.
 *
 * @param folder of the build.
 * @param imageOrigin origin of the images that the pages show; null for none.
 */
export function servePages(folder: string, imageOrigin: string | null): Router {
  const router = express.Router();
  router.get("/{*path}", async (request, response, next) => {
    const host = request.get("Host");
    response.set("Content-Security-Policy", contentSecurityPolicy(imageOrigin, host));
    const file = findBuiltFile(request.path);
    if (file === null) return next();
    const exchange = { request, response };
    const send = (path: string) =>
      sendBuiltFile(join(folder, path), file.isAsset ? immutable : "no-cache", exchange);
    if (file.path === "index.html") {
      response.vary("Accept-Language").vary("Cookie");
      if (await send(pageFile(readPageLanguage(request)))) return;
    }
    if (await send(file.path)) return;
    if (file.path !== "index.html") return next();
    throw new AppError(
      "overloaded",
      "Studio is not built. Run npm run build --workspace apps/studio on the server.",
    );
  });
  return router;
}
