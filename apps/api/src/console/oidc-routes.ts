import * as admin from "@atelier/schemas/admin";
import type { Response, Router } from "express";
import * as z from "zod";
import type { Needs } from "../dependencies.ts";
import { clientAddress } from "../http/client-address.ts";
import { forbidStoring } from "../http/forbid-storing.ts";
import { createFailedAuthentications } from "../http/limits/failed-authentications.ts";
import type { Routes } from "../http/routes.ts";
import { createIdentityProvider } from "../studio/oidc/identity-provider.ts";
import { reasonOf } from "../studio/oidc/oidc-routes.ts";
import {
  describeCookie,
  readSealedContent,
  sealForCookie,
  type SealedCookie,
} from "../studio/sealed-cookie.ts";
import { refusal } from "./refuse.ts";
import {
  cookieConfig,
  openSession,
  operatorClient,
  roleOf,
  type ConsoleConfig,
  type Grant,
  type Operator,
} from "./session.ts";

/** Time in which a person signs in at the provider, in milliseconds. */
const attemptMs = 10 * 60_000;

/** The browser sends it when the provider leads back (`Lax`). */
const cookie: SealedCookie = {
  name: "atelier_console_sign_in",
  purpose: "atelier console sign-in attempts",
  sameSite: "lax",
  isAlwaysSecure: true,
};

const attempt = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  expiresAt: z.number(),
});

/** Why a sign-in failed. */
type Refusal = "expired" | "limited" | "provider" | "unknown";

/**
 * `POST /admin/v1/session/oidc` and `GET /admin/oidc/callback`: sign-in with the identity provider of Studio, and a
 * client of its own. Who may sign in is stated in OIDC_OPERATOR_ROLES; everybody else is refused.
 */
export function serveOperatorSignIn(
  routes: Routes<Operator>,
  router: Router,
  config: ConsoleConfig,
  { logger }: Needs<"logger">,
): void {
  const client = operatorClient(config);
  const attempts = createFailedAuthentications(config);
  const sealing = cookieConfig(config);
  const { name, options } = describeCookie(cookie, sealing);
  const provider =
    client &&
    createIdentityProvider({
      ...client,
      clientSecret: config.OIDC_OPERATOR_CLIENT_SECRET,
      groupClaim: config.OIDC_GROUP_CLAIM,
    });

  routes.add(admin.beginOperatorSignIn, async ({ request, response }) => {
    if (provider === null) {
      throw refusal(
        "not_permitted",
        "no_identity_provider",
        "The console has no identity provider. Sign in with a key, or set OIDC_OPERATOR_CLIENT_ID.",
      );
    }
    // Each begins with a request to the provider, so that strangers have a limit.
    attempts.assertAllowed(clientAddress(request), null);
    attempts.failed(clientAddress(request), null);
    const { url, checks } = await provider.begin().catch((error: unknown) => {
      logger.warn({ reason: reasonOf(error) }, "the identity provider cannot be reached");
      throw refusal(
        "overloaded",
        "identity_provider_silent",
        "The identity provider cannot be reached. Try again later, or sign in with a key.",
      );
    });
    const begun = { ...checks, expiresAt: Date.now() + attemptMs };
    response.cookie(name, sealForCookie(cookie, JSON.stringify(begun), sealing), {
      ...options,
      maxAge: attemptMs,
    });
    return { url: url.href };
  });

  if (client === null || provider === null) return;
  router.get("/oidc/callback", forbidStoring, async (request, response) => {
    const begun = readSealedContent(cookie, attempt, request, sealing);
    response.clearCookie(name, options);
    if (begun === null) return refuse(response, "expired");
    try {
      attempts.assertAllowed(clientAddress(request), "well-formed");
    } catch {
      return refuse(response, "limited");
    }
    const callback = new URL(client.redirectUri);
    callback.search = new URL(request.originalUrl, callback).search;
    let identity;
    try {
      identity = await provider.finish(callback, begun);
    } catch (error) {
      attempts.failed(clientAddress(request), "well-formed");
      logger.warn({ reason: reasonOf(error) }, "a sign-in to the console was refused");
      return refuse(response, "provider");
    }
    const { verifiedEmail, subject, groups } = identity;
    const grant = grantOf(verifiedEmail, groups, config);
    if (grant === null) {
      logger.warn({ subject }, "somebody without a role tried to sign in to the console");
      return refuse(response, "unknown");
    }
    const actor = `console:${verifiedEmail ?? `sub:${subject}`}`;
    const session = openSession(grant, actor, config);
    logger.info({ actor, requestId: String(response.locals["requestId"]) }, "operator signed in");
    response.cookie(session.name, session.value, session.options).redirect(303, "/admin/");
  });
}

/** The grant of a person, that of an operator first; null for somebody whom the settings do not name. */
function grantOf(
  email: string | null,
  groups: readonly string[],
  config: ConsoleConfig,
): Grant | null {
  const grants: Grant[] = [
    ...(email === null ? [] : [{ by: "email" as const, value: email }]),
    ...groups.map((value) => ({ by: "group" as const, value })),
  ];
  const named = grants.filter((grant) => roleOf(grant, config) !== null);
  return named.find((grant) => roleOf(grant, config) === "operator") ?? named[0] ?? null;
}

function refuse(response: Response, reason: Refusal): void {
  response.redirect(303, `/admin/#refused=${reason}`);
}
