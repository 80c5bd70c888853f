import { findGeneration, jobNotFound } from "@atelier/generations";
import {
  AppError,
  combineRequest,
  diagramRequest,
  editRequest,
  graphicRequest,
  imageRequest,
  parseRequest,
  storyRequest,
  type GenerationPlan,
} from "@atelier/schemas";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import { cancelAndRemove } from "../generations/cancel-and-remove.ts";
import { planCombine } from "../generations/plan-combine.ts";
import { planDiagram } from "../generations/plan-diagram.ts";
import { planEdit } from "../generations/plan-edit.ts";
import { planGraphic } from "../generations/plan-graphic.ts";
import { planImage } from "../generations/plan-image.ts";
import type { Planner } from "../generations/planner.ts";
import { planStoryWith } from "../generations/plan-story.ts";
import { failureOf } from "../generations/respond.ts";
import { submit } from "../generations/submit.ts";
import { waitForResult } from "../generations/wait-for-result.ts";
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
    .describe("Seconds to wait for the result before the unfinished job is returned.");
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
  input(config: ApiConfig): z.ZodType<object>;
  readonly tool: Tool;
}

/**
 * Creates the tool of an operation, which does the same as the HTTP operation and waits for the job.
 *
 * @param operation the last part of its path.
 */
function describeOperation<Body extends object>(
  operation: string,
  input: (config: ApiConfig) => z.ZodType<Body & CallFields>,
  plan: Planner<Body>,
): GenerationTool {
  return {
    input,
    tool(given, context, exchange) {
      const { config } = exchange.dependencies;
      const { idempotency_key, wait_seconds, ...rest } = parseRequest(input(config), given);
      const body = rest as unknown as Body;
      const { strictness } = contextOf(exchange.response).caller;
      const { STORY_DEADLINE_SECONDS, IMAGE_DEADLINE_SECONDS } = config;
      return generate(context, exchange, {
        path: `/generate/${operation}`,
        body,
        idempotencyKey: idempotency_key,
        waitMs: wait_seconds * 1_000,
        deadlineMs:
          (operation === "story" ? STORY_DEADLINE_SECONDS : IMAGE_DEADLINE_SECONDS) * 1_000,
        makePlan: () => plan(body, strictness, exchange.dependencies),
      });
    },
  };
}

export const imageTool = describeOperation(
  "image",
  (config) => imageRequest.safeExtend(callFields(config)),
  planImage,
);
export const storyTool = describeOperation(
  "story",
  (config) => storyRequest.safeExtend(callFields(config)),
  planStoryWith,
);
export const editTool = describeOperation(
  "edit",
  (config) => editRequest.safeExtend(callFields(config)),
  planEdit,
);
export const combineTool = describeOperation(
  "combine",
  (config) => combineRequest.safeExtend(callFields(config)),
  planCombine,
);
export const graphicTool = describeOperation(
  "graphic",
  (config) => graphicRequest.safeExtend(callFields(config)),
  planGraphic,
);
export const diagramTool = describeOperation(
  "diagram",
  (config) => diagramRequest.safeExtend(callFields(config)),
  planDiagram,
);

interface ToolRequest {
  /** Path of the HTTP operation under `/v1`, so that both share their idempotency keys. */
  readonly path: string;
  readonly body: object;
  readonly idempotencyKey: string | undefined;
  readonly waitMs: number;
  readonly deadlineMs: number;
  readonly makePlan: () => GenerationPlan;
}

async function generate(
  context: ServerContext,
  exchange: Exchange,
  { path, body, idempotencyKey, ...toolRequest }: ToolRequest,
): Promise<CallToolResult> {
  const { response, dependencies } = exchange;
  const { requestId, caller } = contextOf(response);
  const { accountId } = caller;
  const { signal } = context.mcpReq;
  const idempotency =
    idempotencyKey === undefined ? null : keyRequest(idempotencyKey, path, body, "idempotency_key");
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
      const submitted = await submit(requester, toolRequest, dependencies);
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
      ? await waitForJob(job, toolRequest.waitMs, context, dependencies)
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
