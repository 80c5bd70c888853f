import { redeemStudioLink, type Caller } from "@atelier/accounts";
import { AppError, parseRequest } from "@atelier/schemas";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { admitKey } from "../http/authenticate.ts";
import { clientAddress } from "../http/client-address.ts";
import { contextOf } from "../http/context.ts";
import { forbidStoring } from "../http/forbid-storing.ts";
import type { Policy } from "../http/rate-limit.ts";
import { readJson, requireJson } from "../http/read-body.ts";
import { receiveBody } from "../http/receive-body.ts";
import { refuseQuery } from "../http/refuse-query.ts";
import { isFromStudio } from "./is-from-studio.ts";
import { createSession, readSession, sessionCookie, sessionMs } from "./session.ts";

const maxBodyBytes = 1_024;

const signInRequest = z
  .strictObject({
    key: z.string().trim().min(1).max(200).optional(),
    /** The part of the link's URL after `#link=`. */
    link: z.string().min(1).max(500).optional(),
  })
  .refine(({ key, link }) => (key === undefined) !== (link === undefined), {
    error: "must have either key or link",
  });

/**
 * `/studio/session`: signs Studio in with a key or a link, and out. It is part of Studio, not of the
 * API: requests of other senders are refused.
 *
 * @param policy the limit of the key that sign-ins are taken from.
 */
export function serveSession(policy: Policy, dependencies: ApiDependencies): Router {
  const { config, database, failedAuthentications } = dependencies;
  const { name, options } = sessionCookie(config);
  const router = express.Router();
  router.use("/session", forbidStoring, refuseQuery);

  router.post("/session", requireStudio, async (request, response) => {
    requireJson(request);
    const body = readJson(await receiveBody(request, response, maxBodyBytes));
    const { key, link } = parseRequest(signInRequest, body);
    const signedIn = key ?? (await redeem(link ?? "", request));
    await admitKey(signedIn, policy, { request, response }, dependencies);
    response.cookie(name, createSession(signedIn, config), { ...options, maxAge: sessionMs });
    response.status(204).end();
  });

  router.get("/session", async (request, response) => {
    const caller = await findCaller(request, response);
    response.json({ account_id: caller?.accountId ?? null, key_id: caller?.keyId ?? null });
  });

  router.delete("/session", requireStudio, (_request, response) => {
    response.clearCookie(name, options).status(204).end();
  });

  /** @throws AppError `unauthorized`, counted as a failed authentication. */
  async function redeem(link: string, request: Request): Promise<string> {
    const address = clientAddress(request);
    failedAuthentications.assertAllowed(address, null);
    const key = await redeemStudioLink(database, { link, pepper: config.KEY_PEPPER });
    if (key !== null) return key;
    failedAuthentications.failed(address, null);
    throw new AppError(
      "unauthorized",
      "This link was used already or has expired. Sign in with an API key or another link.",
    );
  }

  /** The account and the key of the session; null without a session. */
  async function findCaller(request: Request, response: Response): Promise<Caller | null> {
    const key = readSession(request, config);
    if (key === null) return null;
    try {
      await admitKey(key, policy, { request, response }, dependencies);
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

/** @throws AppError `unauthorized` for requests that no page of Studio sent. */
function requireStudio(request: Request, _response: Response, next: NextFunction): void {
  if (!isFromStudio(request)) {
    throw new AppError(
      "unauthorized",
      "Only pages of Studio may sign in and out here. Clients send Authorization: Bearer <key>.",
    );
  }
  next();
}
