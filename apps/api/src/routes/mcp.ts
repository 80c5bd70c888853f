import { lazily } from "@atelier/kit";
import { AppError } from "@atelier/schemas";
import { originValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import type { Needs } from "../dependencies.ts";
import {
  readKeyCredential,
  requireAdmission,
  type AdmissionDependencies,
} from "../http/authenticate.ts";
import { readBody } from "../http/body/read-body.ts";
import { contextOf } from "../http/context.ts";
import { limitRate, readPolicies } from "../http/limits/rate-limit.ts";
import type { Policy } from "../http/policy.ts";
import type { ToolDependencies } from "../mcp/call.ts";
import { createMcpServer, prepareTools } from "../mcp/create-server.ts";
import { describeTools, type DescribedTool } from "../mcp/tools.ts";

/**
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, revision 2026-07-28, and stateless
 * for earlier revisions. There are no sessions: each message gets its own server, so that any API
 * process can handle it and a restart loses nothing.
 */
export function serveMcp(dependencies: AdmissionDependencies & ToolDependencies): Router {
  const { config, operations, logger } = dependencies;
  const described = describeTools(config, operations);
  const readTools = lazily(() => prepareTools(described));
  const policies = readPolicies(dependencies);
  const router = express.Router();

  router.all("/mcp", refuseForeignOrigins(config.PUBLIC_URL), refuseOtherMethods);
  router.post(
    "/mcp",
    requireBearer(policies.other, dependencies),
    readBody,
    async (request: Request, response: Response): Promise<void> => {
      response.set("Cache-Control", "no-store");
      const { requestId } = contextOf(response);
      const onerror = (error: Error) =>
        logger.warn({ err: error, requestId }, "MCP message refused");
      refuseBatch(request.body);
      const refusal = isGeneration(request.body, described)
        ? await findRefusal(policies.generate, response, dependencies)
        : null;
      const handler = createMcpHandler(
        ({ era }) =>
          createMcpServer(readTools(), {
            response,
            refusal,
            disconnectCancels: era === "modern",
            dependencies,
          }),
        // There is nothing to subscribe to.
        { onerror, maxSubscriptions: 0 },
      );
      await toNodeHandler(handler, { onerror })(request, response, request.body);
    },
  );
  return router;
}

/**
 * Refuses foreign origins, so that a web page cannot reach a server on the user's machine through DNS
 * rebinding. Assistants and programs send no Origin.
 */
function refuseForeignOrigins(publicUrl: string) {
  const isAllowed = originValidation([new URL(publicUrl).hostname]);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (isAllowed(request, response)) next();
  };
}

/** Responds 405 to GET and DELETE, as the protocol specifies for servers without sessions. */
function refuseOtherMethods(request: Request, response: Response, next: NextFunction): void {
  if (request.method === "POST") return next();
  const message = "Method not allowed: send each message with POST.";
  response
    .status(405)
    .set("Allow", "POST")
    .json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null });
}

/** Authenticates with API keys, not with Studio's session; sends the challenge of RFC 6750 for an invalid one. */
function requireBearer(policy: Policy, dependencies: AdmissionDependencies) {
  const admit = requireAdmission(policy, dependencies, readKeyCredential);
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    try {
      await admit(request, response, next);
    } catch (error) {
      const challenge = response.get("WWW-Authenticate");
      if (challenge !== undefined && request.get("Authorization") !== undefined) {
        response.set("WWW-Authenticate", `${challenge}, error="invalid_token"`);
      }
      throw error;
    }
  };
}

/** @throws AppError `invalid_request` for batches. */
function refuseBatch(body: unknown): void {
  if (!Array.isArray(body)) return;
  throw new AppError(
    "invalid_request",
    "MCP has no batches since revision 2025-06-18. Send one message at a time.",
  );
}

/** Whether a message calls a generating tool, which also counts as a generation request. */
function isGeneration(body: unknown, tools: Readonly<Record<string, DescribedTool>>): boolean {
  const { method, params } = (body ?? {}) as {
    readonly method?: unknown;
    readonly params?: { readonly name?: unknown } | null;
  };
  const name = params?.name;
  return method === "tools/call" && typeof name === "string" && tools[name]?.isGeneration === true;
}

/** Finds the rate limit error of a tool call, to be returned by the tool; null when it is allowed. */
async function findRefusal(
  policy: Policy,
  response: Response,
  dependencies: Needs<"admissions">,
): Promise<AppError | null> {
  try {
    await limitRate(policy, response, dependencies);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
