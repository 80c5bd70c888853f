import { createTokenCheck } from "@atelier/kit";
import { AppError } from "@atelier/schemas";
import * as admin from "@atelier/schemas/admin";
import type { OperatorSession } from "@atelier/schemas/admin";
import packageJson from "../../package.json" with { type: "json" };
import type { Needs } from "../dependencies.ts";
import { clientAddress } from "../http/client-address.ts";
import { createFailedAuthentications } from "../http/limits/failed-authentications.ts";
import type { Routes } from "../http/routes.ts";
import {
  fingerprintOf,
  openSession,
  readOperator,
  sessionCookie,
  type ConsoleConfig,
  type Grant,
  type Operator,
} from "./session.ts";

/** Whether anybody may send a request to an endpoint: those of the session need none. */
export function isOpen({ route }: { readonly route: string }): boolean {
  return / \/admin\/v1\/session(?:$|\/)/.test(route);
}

/** `/admin/v1/session`, without the sign-in with an identity provider. */
export function serveOperatorSession(
  routes: Routes<Operator>,
  config: ConsoleConfig,
  { logger }: Needs<"logger">,
): void {
  const attempts = createFailedAuthentications(config);
  const isOperatorKey = createTokenCheck([config.ADMIN_KEY]);
  const isSupportKey = createTokenCheck([config.SUPPORT_KEY]);

  routes.add(admin.readOperatorSession, async ({ request }) => {
    return present(readOperator(request, config));
  });

  routes.add(admin.signInOperator, async ({ request, response, body: { key } }) => {
    const address = clientAddress(request);
    const credential = { kind: "key", key } as const;
    // The right key is not remembered: above the limit, its response would tell it from guesses.
    attempts.assertAllowed(address, credential);
    const grant = findGrant(key);
    if (grant === null) {
      attempts.failed(address, credential);
      throw new AppError(
        "unauthorized",
        "This key opens no session. Use ADMIN_KEY or SUPPORT_KEY.",
      );
    }
    const actor = `console:${grant.by}`;
    const { name, value, options, expiresAt } = openSession(grant, actor, config);
    response.cookie(name, value, options);
    logger.info({ actor, requestId: String(response.locals["requestId"]) }, "operator signed in");
    return present({
      actor,
      role: grant.by === "operator-key" ? "operator" : "support",
      expiresAt,
    });
  });

  routes.add(admin.signOutOperator, async ({ response }) => {
    const { name, options } = sessionCookie(config);
    response.clearCookie(name, options);
  });

  function findGrant(key: string): Grant | null {
    if (isOperatorKey(key)) return { by: "operator-key", value: "" };
    return isSupportKey(key) ? { by: "support-key", value: fingerprintOf(key) } : null;
  }

  function present(operator: Operator | null): OperatorSession {
    const { OIDC_ISSUER, OIDC_OPERATOR_CLIENT_ID } = config;
    return {
      actor: operator?.actor ?? null,
      role: operator?.role ?? null,
      expires_at: operator === null ? null : new Date(operator.expiresAt).toISOString(),
      identity_provider:
        OIDC_OPERATOR_CLIENT_ID === undefined || OIDC_ISSUER === undefined
          ? null
          : new URL(OIDC_ISSUER).host,
      version: packageJson.version,
    };
  }
}
