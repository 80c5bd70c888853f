import { findGeneration, jobNotFound } from "@atelier/generations";
import {
  AppError,
  imageRequest,
  parseRequest,
  storyRequest,
  type GenerationPlan,
} from "@atelier/schemas";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import { acceptAndWait, failureOf } from "../generations/accept-and-wait.ts";
import { cancelAndRemove } from "../generations/cancel-and-remove.ts";
import { planImage } from "../generations/plan-image.ts";
import { planStoryWith } from "../generations/plan-story.ts";
import { contextOf, setJob } from "../http/context.ts";
import { keyRequest } from "../http/idempotency-key.ts";
import type { Exchange, Tool } from "./call.ts";
import { answerWithJob } from "./job-answer.ts";
import { waitForJob, withProgress } from "./wait-for-job.ts";

/** Less than the minute after which many clients give up a call. */
const usualWaitSeconds = 45;

/** How long a call waits, at most as long as a request over HTTP may. */
export function waitSeconds({ MAX_WAIT_SECONDS }: ApiConfig, usual = usualWaitSeconds) {
  return z
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(Math.min(usual, MAX_WAIT_SECONDS))
    .describe("How many seconds to wait for the result before answering with the unfinished job.");
}

/** What a call has beside the body of the request over HTTP. */
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

/** Input of `generate_image`: the body of `POST /v1/generate/image`, and how to wait for it. */
export function imageInput(config: ApiConfig) {
  return imageRequest.safeExtend(callFields(config));
}

/** Input of `generate_story`: the body of `POST /v1/generate/story`, and how to wait for it. */
export function storyInput(config: ApiConfig) {
  return storyRequest.safeExtend(callFields(config));
}

/** Makes an image, as `POST /v1/generate/image` does. */
export const generateImageTool: Tool = (input, context, exchange) => {
  const { config } = exchange.dependencies;
  const { idempotency_key, wait_seconds, ...body } = parseRequest(imageInput(config), input);
  const { strictness } = contextOf(exchange.response).caller;
  return generate(context, exchange, {
    path: "/generate/image",
    body,
    idempotencyKey: idempotency_key,
    waitMs: wait_seconds * 1_000,
    deadlineMs: config.IMAGE_DEADLINE_SECONDS * 1_000,
    makePlan: () => planImage(body, strictness, exchange.dependencies),
  });
};

/** Makes a story, as `POST /v1/generate/story` does, and waits for it. */
export const generateStoryTool: Tool = (input, context, exchange) => {
  const { config } = exchange.dependencies;
  const { idempotency_key, wait_seconds, ...body } = parseRequest(storyInput(config), input);
  const { strictness } = contextOf(exchange.response).caller;
  return generate(context, exchange, {
    path: "/generate/story",
    body,
    idempotencyKey: idempotency_key,
    waitMs: wait_seconds * 1_000,
    deadlineMs: config.STORY_DEADLINE_SECONDS * 1_000,
    makePlan: () => planStoryWith(body, strictness, exchange.dependencies),
  });
};

interface ToolRequest {
  /** Of the same operation over HTTP, under `/v1`: there, the same idempotency key is the same request. */
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
  const { generationId, replayed, final } = await withProgress(
    context,
    accountId,
    dependencies,
    (startReporting) => {
      const onJob = (jobId: string) => {
        setJob(response, jobId);
        startReporting(jobId);
      };
      const requester = { requestId, accountId, idempotency, signal, onJob };
      return acceptAndWait(requester, { body, ...toolRequest }, dependencies);
    },
  );
  const of = { accountId, generationId };
  // With a key the client may come back for its job; without one, nobody will know of it.
  const takenBack = signal.aborted && exchange.disconnectCancels && idempotency === null;
  if (final === null && takenBack) await takeBack(of, exchange);
  const generation =
    final ??
    (replayed
      ? await waitForJob(of, toolRequest.waitMs, context, dependencies)
      : await findGeneration(dependencies.database.repeatable, of));
  if (generation === null) throw jobNotFound();
  if (generation.status === "failed" || generation.status === "cancelled") {
    throw failureOf(generation);
  }
  return answerWithJob(generation, dependencies);
}

/** Cancels a job if nobody works on it yet; what is being made is finished. */
async function takeBack(
  of: { readonly accountId: string; readonly generationId: string },
  { response, dependencies }: Exchange,
): Promise<void> {
  try {
    await cancelAndRemove(of, contextOf(response).requestId, dependencies);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "job_not_cancellable")) throw error;
  }
}
