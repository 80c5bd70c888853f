import {
  authenticate,
  closeStudioSession,
  endedCredential,
  endOwnStudioSessions,
  endStudioSession,
  findAccount,
  findMemberOfKey,
  isWellFormedLink,
  listStudioSessions,
  openStudioSession,
  peekStudioLink,
  readKeyNames,
  redeemStudioLink,
  type Caller,
} from "@atelier/accounts";
import { keyPeppers } from "@atelier/configuration";
import { AppError, parseRequest, studioLanguage } from "@atelier/schemas";
import express, { type Request, type Response, type Router } from "express";
import * as z from "zod";
import type { Needs } from "../dependencies.ts";
import {
  admit,
  findSession,
  requireAdmission,
  type AdmissionDependencies,
} from "../http/authenticate.ts";
import { readJson, requireJson } from "../http/body/read-body.ts";
import { receiveBody } from "../http/body/receive-body.ts";
import { clientAddress } from "../http/client-address.ts";
import { contextOf } from "../http/context.ts";
import { forbidStoring } from "../http/forbid-storing.ts";
import type { Attempt } from "../http/limits/failed-authentications.ts";
import type { Policy } from "../http/policy.ts";
import { refuseQuery } from "../http/refuse-query.ts";
import { requireStudio } from "./require-studio.ts";
import { previewRetention } from "./retention-route.ts";
import { readSession, sealSession, sessionCookie, sessionMs } from "./session.ts";
import { serveStories } from "./story-routes.ts";

const maxBodyBytes = 1_024;

/** Part of the browser's description of itself that is kept. */
const maxUserAgent = 200;

const signInRequest = z
  .strictObject({
    key: z.string().trim().min(1).max(200).optional(),
    /** The part of the link's URL after `#link=`. */
    link: z.string().min(1).max(500).optional(),
    /** A link may replace the session of another account or person. */
    replace: z.boolean().default(false),
  })
  .refine(({ key, link }) => (key === undefined) !== (link === undefined), {
    error: "must have either key or link",
  });

/**
 * `/studio/session`: signs Studio in with a key or a link, and out. `/studio/sessions`: lists the sessions of keys
 * that the one of the session may revoke, ends one of these, or all with the same key. `/studio/retention` and
 * `/studio/stories`: see `previewRetention` and `serveStories`. They are part of Studio, not of the API: requests of
 * other senders are refused.
 *
 * @param policy the limit of the key that sign-ins are taken from.
 */
export function serveSession(
  policy: Policy,
  dependencies: AdmissionDependencies & Needs<"accountMutex" | "database" | "logger" | "storage">,
): Router {
  const { config, database, failedAuthentications } = dependencies;
  const { name, options } = sessionCookie(config);
  const peppers = keyPeppers(config);
  const router = express.Router();
  router.use("/session", forbidStoring, refuseQuery);

  router.use("/sessions", forbidStoring, refuseQuery, requireStudio);

  router.post("/session", requireStudio, async (request, response) => {
    requireJson(request);
    const body = readJson(await receiveBody(request, response, maxBodyBytes));
    const { key, link, replace } = parseRequest(signInRequest, body);
    if (link !== undefined && !replace) {
      const replacement = await findReplacement(link, request, response);
      if (replacement !== null) {
        response.json(replacement);
        return;
      }
    }
    const signedIn = key ?? (await redeem(link ?? "", request));
    await admit({ kind: "key", key: signedIn }, policy, { request, response }, dependencies);
    const id = await openStudioSession(database, contextOf(response).caller, {
      userAgent: request.get("User-Agent")?.slice(0, maxUserAgent) ?? null,
      forMs: sessionMs,
    });
    if (id === null) throw endedCredential();
    const earlier = readSession(request, config);
    if (earlier !== null) await closeStudioSession(database, earlier);
    response.cookie(name, sealSession(id, config), { ...options, maxAge: sessionMs });
    response.status(204).end();
  });

  router.get("/session", async (request, response) => {
    const caller = await findCaller(request, response);
    const { accountId = null, keyId = null, scopes = [] } = caller ?? {};
    const account = accountId === null ? null : await findAccount(database, accountId);
    const language = studioLanguage
      .nullable()
      .catch(null)
      .parse(account?.language ?? null);
    const member = keyId === null ? null : await findMemberOfKey(database, keyId);
    response.json({
      account_id: accountId,
      account_name: account?.name ?? null,
      key_id: keyId,
      scopes,
      language,
      member: member && {
        id: member.id,
        name: member.name,
        role: member.role,
        has_identity: member.hasIdentity,
      },
      identity_provider: config.OIDC_ISSUER === undefined ? null : new URL(config.OIDC_ISSUER).host,
    });
  });

  router.delete("/session", requireStudio, async (request, response) => {
    const id = readSession(request, config);
    if (id !== null) await closeStudioSession(database, id);
    response.clearCookie(name, options).status(204).end();
  });

  const withSession = requireAdmission(policy, dependencies, (request) =>
    findSession(request, config),
  );

  router.get(
    "/retention",
    forbidStoring,
    requireStudio,
    withSession,
    previewRetention(dependencies),
  );

  router.use("/stories", serveStories([requireStudio, withSession], dependencies));

  router.get("/sessions", withSession, async (_request, response) => {
    const { caller } = contextOf(response);
    const sessions = await listStudioSessions(database, caller);
    response.json({
      sessions: sessions.map((session) => ({
        id: session.id,
        key_id: session.keyId,
        key_name: session.keyName,
        user_agent: session.userAgent,
        is_current: session.id === caller.sessionId,
        created_at: session.createdAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
      })),
    });
  });

  router.delete("/sessions", withSession, async (_request, response) => {
    const ended = await endOwnStudioSessions(database, contextOf(response).caller);
    response.clearCookie(name, options).json({ ended });
  });

  router.delete("/sessions/:id", withSession, async (request, response) => {
    const { caller } = contextOf(response);
    const id = z.uuid().safeParse(request.params["id"]);
    if (!id.success || !(await endStudioSession(database, caller, id.data))) {
      throw new AppError("not_found", "This session has ended, or this key may not end it.");
    }
    if (id.data === caller.sessionId) response.clearCookie(name, options);
    response.json({ ended: 1 });
  });

  /**
   * Finds out whether a link would replace the session of another account, or of another key of the same account.
   *
   * @returns the names of both accounts, or of both people or keys; null when the link can be used.
   */
  async function findReplacement(link: string, request: Request, response: Response) {
    failedAuthentications.assertAllowed(clientAddress(request), attemptOf(link));
    const current = await findCaller(request, response);
    if (current === null) return null;
    const key = await peekStudioLink(database, { link, peppers });
    const other = key === null ? null : await authenticate(database, key, peppers);
    if (other === null || other.keyId === current.keyId) return null;
    if (other.accountId === current.accountId) {
      // The key of a member has its name.
      const ids = [current.keyId, other.keyId];
      const names = await readKeyNames(database, current.accountId, ids);
      const [person = "", by = ""] = ids.map((id) => names.get(id));
      return { replaces: { person, by } };
    }
    const [signedIn, linked] = await Promise.all(
      [current, other].map(({ accountId }) => findAccount(database, accountId)),
    );
    return { replaces: { account: signedIn?.name ?? "", by: linked?.name ?? "" } };
  }

  function attemptOf(link: string): Attempt {
    return isWellFormedLink(link, peppers) ? "well-formed" : "malformed";
  }

  /** @throws AppError `unauthorized`, counted as a failed authentication. */
  async function redeem(link: string, request: Request): Promise<string> {
    const address = clientAddress(request);
    failedAuthentications.assertAllowed(address, attemptOf(link));
    const key = await redeemStudioLink(database, { link, peppers });
    if (key !== null) return key;
    failedAuthentications.failed(address, attemptOf(link));
    throw new AppError(
      "unauthorized",
      "This link was used already, has expired or is incomplete. Sign in with an API key or another link.",
    );
  }

  /** The account and the key of the session; null without a session. */
  async function findCaller(request: Request, response: Response): Promise<Caller | null> {
    const credential = findSession(request, config);
    if (credential === null) return null;
    try {
      await admit(credential, policy, { request, response }, dependencies);
      return contextOf(response).caller;
    } catch (error) {
      if (!(error instanceof AppError) || !endsSession(error)) throw error;
      response.removeHeader("WWW-Authenticate");
      return null;
    }
  }

  return router;
}

function endsSession({ code }: AppError): boolean {
  return code === "unauthorized" || code === "account_suspended";
}
