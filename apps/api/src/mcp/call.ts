import { AppError } from "@atelier/schemas";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { contextOf } from "../http/context.ts";
import { retryAfterSeconds, toAppError, toErrorBody } from "../http/error-handler.ts";
import { nameTools } from "./name-tools.ts";

/** The HTTP request that a message came with, behind authentication. */
export interface Exchange {
  readonly response: Response;
  /** Why a tool may not be called now, such as a rate limit. */
  readonly refusal: AppError | null;
  /** A client that goes away takes its call back; before the revision 2026-07-28 it did not. */
  readonly disconnectCancels: boolean;
  readonly dependencies: ApiDependencies;
}

/** What a tool does: its input has not been checked yet. */
export type Tool = (
  input: unknown,
  context: ServerContext,
  exchange: Exchange,
) => Promise<CallToolResult>;

/** Calls a tool; whatever goes wrong becomes an answer that an assistant can act on. */
export async function callTool(
  tool: Tool,
  input: unknown,
  context: ServerContext,
  exchange: Exchange,
): Promise<CallToolResult> {
  try {
    if (exchange.refusal !== null) throw exchange.refusal;
    return await tool(input, context, exchange);
  } catch (thrown) {
    return presentFailure(toAppError(thrown), exchange);
  }
}

/**
 * An error with the body that it has over HTTP, as text, the job that it belongs to, and how long to
 * wait before trying again.
 */
function presentFailure(
  error: AppError,
  { response, dependencies: { logger } }: Exchange,
): CallToolResult {
  const { requestId, jobId } = contextOf(response);
  if (error.status >= 500) {
    logger.error({ err: error.cause ?? error, requestId, path: "/mcp" }, "tool failed");
  }
  const retryAfter = retryAfterSeconds(error);
  const body = {
    ...toErrorBody(error, requestId),
    ...(jobId === undefined ? {} : { job_id: jobId }),
    ...(retryAfter === undefined ? {} : { retry_after_seconds: retryAfter }),
  };
  return { isError: true, content: [{ type: "text", text: nameTools(JSON.stringify(body)) }] };
}

/** An answer in its structured form, and as text for clients that do not know that. */
export function answer(structured: Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(structured) }],
    structuredContent: structured,
  };
}
