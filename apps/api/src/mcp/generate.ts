import { jobNotFound } from "@atelier/generations/endings";
import { findGeneration } from "@atelier/generations/jobs";
import {
  AppError,
  parseRequest,
  type Operation,
  type OperationDefinition,
  type RequestOf,
} from "@atelier/schemas";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import { submit } from "../generations/accept/submit.ts";
import type { OperationRequest } from "../generations/plan/operations.ts";
import { cancelAndRemove } from "../generations/answer/cancel-and-remove.ts";
import { failureOf } from "../generations/answer/respond.ts";
import { waitForResult } from "../generations/answer/wait-for-result.ts";
import type { ApiOperations } from "../generations/plan/operations.ts";
import { contextOf, setJob } from "../http/context.ts";
import { keyRequest } from "../http/idempotency-key.ts";
import type { Exchange, Tool } from "./call.ts";
import { answerWithJob } from "./job-answer.ts";
import { waitForJob, withProgress } from "./wait-for-job.ts";

/** Less than the call timeout of many clients, which is one minute. */
const defaultWaitSeconds = 45;

/** Schema of the wait of a call, limited like that of an HTTP request. */
export function waitSeconds({ MAX_WAIT_SECONDS }: ApiConfig, preferred = defaultWaitSeconds) {
  return z
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(Math.min(preferred, MAX_WAIT_SECONDS))
    .describe("Seconds to wait for the result. Then the unfinished job is returned.");
}

/** Fields of a call in addition to the body of the HTTP request. */
function callFields(config: ApiConfig) {
  return {
    idempotency_key: z
      .string()
      .optional()
      .describe(
        "A new random text for each new request. A call repeated with the same one gets the first one's job instead of paying again.",
      ),
    wait_seconds: waitSeconds(config),
  };
}

/** Fields of a call that are not part of the body of the HTTP request. */
interface CallFields {
  readonly idempotency_key?: string | undefined;
  readonly wait_seconds: number;
}

/** An operation of `POST /v1/generate/…` as a tool. */
interface GenerationTool {
  /** The body of the HTTP request plus the call fields. */
  readonly input: z.ZodObject;
  readonly tool: Tool;
}

/**
 * Creates a tool of several operations, whose calls name one in `operation`. Clients are shown the fields of
 * all; a call has those of its operation.
 */
export function createSharedTool(
  names: readonly [Operation, ...Operation[]],
  operations: ApiOperations,
  config: ApiConfig,
): GenerationTool {
  const operation = z.enum(names);
  const fields = names.map((name): z.ZodObject["shape"] => operations[name].request.shape);
  const shown = Object.fromEntries(
    fields.flatMap(Object.entries).map(([name, field]: [string, z.ZodType]) => {
      const isRequired = fields.every((one) => one[name]?.safeParse(undefined).success === false);
      return [name, isRequired ? field : field.optional()];
    }),
  );
  return {
    input: z.strictObject({ operation, ...shown, ...callFields(config) }),
    tool(given, context, exchange) {
      const chosen = parseRequest(z.looseObject({ operation }), given);
      const { operation: name, ...body } = chosen;
      return createGenerationTool(name, operations, config).tool(body, context, exchange);
    },
  };
}

/** Creates the tool of an operation, which does the same as the HTTP operation and waits for the job. */
export function createGenerationTool(
  operation: Operation,
  operations: ApiOperations,
  config: ApiConfig,
): GenerationTool {
  const { request }: OperationDefinition = operations[operation];
  const input = request.safeExtend(callFields(config));
  return {
    input,
    tool(given, context, exchange) {
      const call = parseRequest(input, given) as unknown as CallFields;
      const { idempotency_key, wait_seconds, ...body } = call;
      return generate(context, exchange, {
        operation,
        body: body as RequestOf<Operation>,
        idempotencyKey: idempotency_key,
        waitMs: wait_seconds * 1_000,
      });
    },
  };
}

interface ToolRequest extends OperationRequest {
  readonly waitMs: number;
  readonly idempotencyKey: string | undefined;
}

async function generate(
  context: ServerContext,
  exchange: Exchange,
  { idempotencyKey, waitMs, ...toolRequest }: ToolRequest,
): Promise<CallToolResult> {
  const { response, dependencies } = exchange;
  const { requestId, caller } = contextOf(response);
  const { accountId } = caller;
  const { signal } = context.mcpReq;
  // The path of the HTTP operation, so that both share their idempotency keys.
  const path = `/generate/${toolRequest.operation}`;
  const idempotency =
    idempotencyKey === undefined
      ? null
      : keyRequest(idempotencyKey, { path, body: toolRequest.body, caller }, "idempotency_key");
  const { submission, final } = await withProgress(
    context,
    accountId,
    dependencies,
    async (startReporting) => {
      const onJob = (jobId: string) => {
        setJob(response, jobId);
        startReporting(jobId);
      };
      const requester = { requestId, caller, idempotency, signal, onJob };
      const submitted = await submit(
        requester,
        { waitMs, request: () => toolRequest },
        dependencies,
      );
      const result = await waitForResult(submitted, requester, dependencies);
      return { submission: submitted, final: result };
    },
  );
  const { generationId } = submission;
  const job = { accountId, generationId };
  // With a key, the client can retrieve its job later; without one, it has no id to ask for.
  const isAbandoned = signal.aborted && exchange.disconnectCancels && idempotency === null;
  if (final === null && isAbandoned) await cancelAbandoned(job, exchange);
  const generation =
    final ??
    (submission.kind === "replayed"
      ? await waitForJob(job, waitMs, context, dependencies)
      : await findGeneration(dependencies.database.repeatable, job));
  if (generation === null) throw jobNotFound();
  if (generation.status === "failed" || generation.status === "cancelled") {
    throw failureOf(generation);
  }
  return answerWithJob(generation, exchange);
}

/** Cancels a job if no worker has started it; otherwise it is finished. */
async function cancelAbandoned(
  job: { readonly accountId: string; readonly generationId: string },
  { response, dependencies }: Exchange,
): Promise<void> {
  try {
    await cancelAndRemove(job, contextOf(response).requestId, dependencies);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "job_not_cancellable")) throw error;
  }
}
