import { AppError } from "@atelier/schemas";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { Response } from "express";
import type { Needs } from "../dependencies.ts";
import type { SubmitDependencies } from "../generations/accept/submit.ts";
import { contextOf } from "../http/context.ts";
import { retryAfterSeconds, toAppError, toErrorBody } from "../http/error-handler.ts";
import { chargeBody } from "../http/limits/rate-limit.ts";
import { nameTools } from "./name-tools.ts";

/** Dependencies of the tools. */
export type ToolDependencies = SubmitDependencies & Needs<"accountGate" | "accountMutex" | "waits">;

/** The HTTP request of a message, behind authentication. */
export interface Exchange {
  readonly response: Response;
  /**
   * The error for every tool call of this request, such as a rate limit; null when calls are allowed.
   */
  readonly refusal: AppError | null;
  /** Whether a disconnect cancels the call, as it does since revision 2026-07-28. */
  readonly disconnectCancels: boolean;
  readonly dependencies: ToolDependencies;
}

/** Implementation of a tool; it validates its own input. */
export type Tool = (
  input: unknown,
  context: ServerContext,
  exchange: Exchange,
) => Promise<CallToolResult>;

/** Calls a tool and turns any error into a result that an assistant can act on. */
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
    const error = toAppError(thrown);
    if (error.status < 500) await chargeBody(exchange.response, exchange.dependencies);
    return presentFailure(error, exchange);
  }
}

/**
 * Presents an error as text: its HTTP body, the job that it belongs to, and the time to wait before a
 * retry.
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

/** Builds a result in structured form, and as text for clients without structured output. */
export function answer(structured: Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(structured) }],
    structuredContent: structured,
  };
}
