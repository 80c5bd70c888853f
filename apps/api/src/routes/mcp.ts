import { AppError } from "@atelier/schemas";
import { originValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { requireKey } from "../http/authenticate.ts";
import { contextOf } from "../http/context.ts";
import { limitRate, readPolicies, type Policy } from "../http/rate-limit.ts";
import { readBody } from "../http/read-body.ts";
import { createMcpServer, prepareTools } from "../mcp/create-server.ts";
import { describeTools, generationTools } from "../mcp/tools.ts";

/**
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, revision 2026-07-28, and stateless
 * for the revisions before it. There are no sessions: every message is answered by a server of its
 * own, so that any API process can take it, and a restart loses nothing.
 */
export function serveMcp(dependencies: ApiDependencies): Router {
  const { config, logger } = dependencies;
  const tools = prepareTools(describeTools(config));
  const policies = readPolicies(dependencies);
  const router = express.Router();

  router.all("/mcp", refuseForeignOrigins(config.PUBLIC_URL), refuseOtherMethods);
  router.post(
    "/mcp",
    requireBearer(dependencies),
    readBody,
    async (request: Request, response: Response): Promise<void> => {
      response.set("Cache-Control", "no-store");
      const { requestId } = contextOf(response);
      const onerror = (error: Error) =>
        logger.warn({ err: error, requestId }, "MCP message refused");
      const policy = policies[generates(request.body) ? "generate" : "other"];
      const refusal = await takeMessageFromLimit(policy, request, response, dependencies);
      const handler = createMcpHandler(
        ({ era }) =>
          createMcpServer(tools, {
            response,
            refusal,
            disconnectCancels: era === "modern",
            dependencies,
          }),
        // Nothing here changes that could be subscribed to.
        { onerror, maxSubscriptions: 0 },
      );
      await toNodeHandler(handler, { onerror })(request, response, request.body);
    },
  );
  return router;
}

/**
 * A page of a foreign site must not reach a server on the reader's own machine through a name that it
 * has led there (DNS rebinding). Assistants and programs send no Origin.
 */
function refuseForeignOrigins(publicUrl: string) {
  const isAllowed = originValidation([new URL(publicUrl).hostname]);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (isAllowed(request, response)) next();
  };
}

/** Without sessions there is no stream to GET and nothing to DELETE: the protocol has 405 for that. */
function refuseOtherMethods(request: Request, response: Response, next: NextFunction): void {
  if (request.method === "POST") return next();
  const message = "Method not allowed: send each message with POST.";
  response
    .status(405)
    .set("Allow", "POST")
    .json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null });
}

/** The same keys as everywhere; of a key that does not work, RFC 6750 has the challenge say so. */
function requireBearer(dependencies: ApiDependencies) {
  const authenticate = requireKey(dependencies);
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    try {
      await authenticate(request, response, next);
    } catch (error) {
      const challenge = response.get("WWW-Authenticate");
      if (challenge !== undefined && request.get("Authorization") !== undefined) {
        response.set("WWW-Authenticate", `${challenge}, error="invalid_token"`);
      }
      throw error;
    }
  };
}

/** Whether a message asks for images: it is counted as the request that it stands for. */
function generates(body: unknown): boolean {
  const name = isCall(body) ? body.params?.name : undefined;
  return typeof name === "string" && generationTools.includes(name);
}

function isCall(body: unknown): body is { readonly params?: { readonly name?: unknown } } {
  return (body as { readonly method?: unknown } | null)?.method === "tools/call";
}

/**
 * Takes a message from the limit of its kind.
 *
 * @returns why a tool may not be called, for the tool to answer with.
 * @throws AppError `rate_limited` for other messages, and `invalid_request` for more than one.
 */
async function takeMessageFromLimit(
  policy: Policy,
  request: Request,
  response: Response,
  dependencies: ApiDependencies,
): Promise<AppError | null> {
  if (Array.isArray(request.body)) {
    throw new AppError(
      "invalid_request",
      "Batches are no part of MCP since its revision 2025-06-18. Send one message at a time.",
    );
  }
  try {
    await limitRate(policy, response, dependencies);
    return null;
  } catch (error) {
    if (isCall(request.body) && error instanceof AppError) return error;
    throw error;
  }
}
