import { join } from "node:path";
import { AppError } from "@atelier/schemas";
import express, { type Router } from "express";
import type { Needs } from "../dependencies.ts";
import type { Policy } from "../http/policy.ts";
import { keepBaseUrl } from "../http/route-template.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { findBuiltFile } from "./find-built-file.ts";
import { pageFile, readPageLanguage } from "./page-language.ts";
import { sendBuiltFile } from "./send-built-file.ts";
import { serveSession } from "./session-routes.ts";
import { createIdentityProvider } from "./oidc/identity-provider.ts";
import { redirectUriOf, serveOidc } from "./oidc/oidc-routes.ts";
import type { AdmissionDependencies } from "../http/authenticate.ts";

/** For assets, whose names contain a hash of their content. */
const immutable = "public, max-age=31536000, immutable";

/**
 * `/studio`: the session and the built pages of Studio.
 *
 * @param policy the limit of the key that sign-ins are taken from.
 */
export function serveStudio(
  policy: Policy,
  dependencies: AdmissionDependencies &
    Needs<"accountMutex" | "database" | "logger" | "storage" | "studioPages">,
): Router {
  const { config, storage, studioPages } = dependencies;
  const router = express.Router();
  router.use(keepBaseUrl);
  router.use(serveSession(policy, dependencies));
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config;
  if (OIDC_ISSUER !== undefined) {
    const provider = createIdentityProvider({
      issuer: new URL(OIDC_ISSUER),
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      redirectUri: redirectUriOf(config),
      groupClaim: config.OIDC_GROUP_CLAIM,
    });
    router.use(serveOidc(provider, policy, dependencies));
  }

  router.get("/{*path}", async (request, response, next) => {
    const host = request.get("Host");
    response.set("Content-Security-Policy", contentSecurityPolicy(storage.publicOrigin, host));
    const file = findBuiltFile(request.path);
    if (file === null) return next();
    const exchange = { request, response };
    const send = (path: string) =>
      sendBuiltFile(join(studioPages, path), file.isAsset ? immutable : "no-cache", exchange);
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
