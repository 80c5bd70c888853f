import {
  bindIdentity,
  closeStudioSession,
  findIdentified,
  findMemberOfKey,
  joinByGroup,
  openStudioSession,
  type GroupRole,
  type IdentityRefusal,
  type NamedIdentity,
} from "@atelier/accounts";
import { AppError, parseRequest } from "@atelier/schemas";
import express, { type Request, type Response, type Router } from "express";
import * as z from "zod";
import type { Needs } from "../../dependencies.ts";
import { admit, findSession, type AdmissionDependencies } from "../../http/authenticate.ts";
import { readJson, requireJson } from "../../http/body/read-body.ts";
import { receiveBody } from "../../http/body/receive-body.ts";
import { clientAddress } from "../../http/client-address.ts";
import { contextOf } from "../../http/context.ts";
import { forbidStoring } from "../../http/forbid-storing.ts";
import type { Policy } from "../../http/policy.ts";
import { requireStudio } from "../require-studio.ts";
import { readSession, sealSession, sessionCookie, sessionMs } from "../session.ts";
import { attemptCookie, attemptMs, nextPath, readAttempt, sealAttempt } from "./attempt.ts";
import { rolesOf } from "./group-roles.ts";
import type { IdentityProvider } from "./identity-provider.ts";

const beginRequest = z.strictObject({
  /** Page of Studio that is shown afterwards. */
  next: nextPath.default("/"),
  /** Whether the identity becomes that of the member who is signed in. */
  bind: z.boolean().default(false),
});

/** Why a sign-in failed; Studio has a sentence for each. */
type Refusal = IdentityRefusal | "expired" | "full" | "provider";

/**
 * `POST /studio/oidc` begins a sign-in with the identity provider of the operator, and `GET /studio/oidc/callback`
 * ends it. The attempt is in an encrypted cookie of the browser, which a callback uses up.
 */
export function serveOidc(
  provider: IdentityProvider,
  policy: Policy,
  dependencies: AdmissionDependencies & Needs<"database" | "logger">,
): Router {
  const { config, database, failedAuthentications, logger } = dependencies;
  const session = sessionCookie(config);
  const cookie = attemptCookie(config);
  const router = express.Router();
  router.use("/oidc", forbidStoring);

  router.post("/oidc", requireStudio, async (request, response) => {
    requireJson(request);
    const { next, bind } = parseRequest(
      beginRequest,
      readJson(await receiveBody(request, response, 1_024)),
    );
    const bindTo = bind ? await findSignedIn(request, response) : null;
    // Each begins with a request to the provider, so that strangers have a limit.
    failedAuthentications.assertAllowed(clientAddress(request), null);
    failedAuthentications.failed(clientAddress(request), null);
    const { url, checks } = await provider.begin().catch((error: unknown) => {
      logger.warn({ reason: reasonOf(error) }, "the identity provider cannot be reached");
      throw new AppError(
        "overloaded",
        "The identity provider cannot be reached. Try again later, or sign in with a link or a key.",
      );
    });
    const earlierSession = readSession(request, config);
    const expiresAt = Date.now() + attemptMs;
    const attempt = { ...checks, next, bindTo, earlierSession, expiresAt };
    response
      .cookie(cookie.name, sealAttempt(attempt, config), { ...cookie.options, maxAge: attemptMs })
      .json({ url: url.href });
  });

  router.get("/oidc/callback", async (request, response) => {
    const attempt = readAttempt(request, config);
    response.clearCookie(cookie.name, cookie.options);
    if (attempt === null) return refuse(response, "expired");
    // Apart from the beginnings, which would else leave no room for the end of the last one.
    failedAuthentications.assertAllowed(clientAddress(request), "well-formed");
    const callback = new URL(redirectUriOf(config));
    callback.search = new URL(request.originalUrl, callback).search;
    let identity;
    try {
      identity = await provider.finish(callback, attempt);
    } catch (error) {
      failedAuthentications.failed(clientAddress(request), "well-formed");
      logger.warn({ reason: reasonOf(error) }, "a sign-in was refused");
      return refuse(response, "provider");
    }
    const { bindTo, earlierSession, next } = attempt;
    const { roles, closed } = rolesOf(identity.groups, config.OIDC_GROUP_ROLES);
    if (bindTo !== null && closed.includes(bindTo.accountId)) return refuse(response, "group");
    const bound = bindTo === null ? null : await bindIdentity(database, bindTo, identity);
    if (typeof bound === "string") return refuse(response, bound);
    const isFull = await joinByGroups(identity, roles);
    const member = bound ?? (await findIdentified(database, identity, closed));
    if (typeof member === "string") return refuse(response, isFull ? "full" : member);
    const id = await openStudioSession(
      database,
      { ...member, secretHashes: null },
      { userAgent: request.get("User-Agent")?.slice(0, 200) ?? null, forMs: sessionMs },
    );
    if (id === null) return refuse(response, "ended");
    if (earlierSession !== null) await closeStudioSession(database, earlierSession);
    response.cookie(session.name, sealSession(id, config), {
      ...session.options,
      maxAge: sessionMs,
    });
    response.redirect(303, `/studio${next}`);
  });

  /** The member of the session. @throws AppError `unauthorized` without one. */
  async function findSignedIn(request: Request, response: Response) {
    await admit(findSession(request, config), policy, { request, response }, dependencies);
    const { accountId, keyId } = contextOf(response).caller;
    if ((await findMemberOfKey(database, keyId)) !== null) return { accountId, keyId };
    throw new AppError(
      "unauthorized",
      "You are signed in with a key that belongs to no member. Sign in with the link of an invitation.",
    );
  }

  /** Gives a person the roles of its groups. @returns whether an account had no room for a new member. */
  async function joinByGroups(
    identity: NamedIdentity,
    roles: readonly GroupRole[],
  ): Promise<boolean> {
    let isFull = false;
    for (const given of roles) {
      try {
        await joinByGroup(database, identity, given, config.KEY_PEPPER);
      } catch (error) {
        // The person may be a member of other accounts.
        if (!(error instanceof AppError) || error.code !== "too_many_keys") throw error;
        logger.warn({ accountId: given.accountId }, "an account has no room for a new member");
        isFull = true;
      }
    }
    return isFull;
  }

  return router;
}

/** The code and the message of an error, without the parameters and tokens that it may contain. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error ? String(error.code) : error.name;
  return `${code}: ${error.message}`;
}

function refuse(response: Response, reason: Refusal): void {
  response.redirect(303, `/studio/#refused=${reason}`);
}

/** Where the provider leads browsers back to. */
export function redirectUriOf({ PUBLIC_URL }: { readonly PUBLIC_URL: string }): string {
  return `${PUBLIC_URL}/studio/oidc/callback`;
}
