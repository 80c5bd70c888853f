import express, { type Router } from "express";
import type { Needs } from "../dependencies.ts";
import type { Policy } from "../http/policy.ts";
import { keepBaseUrl } from "../http/route-template.ts";
import { servePages } from "./serve-pages.ts";
import { serveSession } from "./session-routes.ts";
import { createIdentityProvider } from "./oidc/identity-provider.ts";
import { redirectUriOf, serveOidc } from "./oidc/oidc-routes.ts";
import type { AdmissionDependencies } from "../http/authenticate.ts";

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

  router.use(servePages(studioPages, storage.publicOrigin));
  return router;
}
