import { ConfigError } from "@atelier/configuration";
import {
  bearer,
  createCircuitBreaker,
  createPost,
  isMisconfigured,
  isOfServer,
  RemoteDown,
} from "@atelier/moderation";
import { AppError, invalidRequest, parseRequest, type RequestProblem } from "@atelier/schemas";
import type { ApiMetrics, Logger } from "@atelier/telemetry";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";

/** A question to a language model. */
export interface Question<Schema extends z.ZodType, Result> {
  readonly instructions: string;
  /** The texts of the client, which are sent as JSON and never as instructions. */
  readonly given: object;
  readonly schema: Schema;
  /**
   * Turns an answer of the right form into the result.
   *
   * @throws AppError with the problems of the answer in `details`.
   */
  readonly read: (answer: z.infer<Schema>) => Result;
  /** Removes what moderation refuses; null when nothing is left. */
  readonly review: (result: Result) => Promise<Result | null>;
}

/** A language model of the operator that writes texts for clients, and nothing else. */
export interface Assistant {
  /**
   * @throws AppError `provider_unavailable` while the server is not called because it fails, `overloaded` when too
   *   many calls run.
   */
  assertAvailable(): void;
  /**
   * Asks for an answer in a JSON schema, and once more when it has another form.
   *
   * @throws AppError `provider_unavailable` without an answer, `provider_refused` when the model declines,
   *   `provider_error` for an answer that cannot be used, `overloaded` when too many calls run.
   */
  ask<Schema extends z.ZodType, Result>(
    question: Question<Schema, Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  close(): void;
}

interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** A token count is part of the answer, so that it may be anything. */
const tokens = z.int().min(0).max(10_000_000).catch(0);

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

const readCompletion = (received: unknown) => completion.parse(received);

/** Calls of this process that wait for the server at the same time. */
const maxCalls = 16;

/** Part of a wrong answer that is sent back, in UTF-16 code units. */
const maxRepeated = 20_000;

/** Problems that one message names. */
const maxProblems = 10;

const shortestRetryMs = 5_000;

/**
 * Connects the language model of the configuration; null without one. Nothing is sent before the first
 * question. Tool calls are not offered, and not followed when an answer has some.
 *
 * @throws ConfigError when a setting is missing.
 */
export function createAssistant(
  config: Pick<
    ApiConfig,
    "ASSISTANT_URL" | "ASSISTANT_MODEL" | "ASSISTANT_KEY" | "ASSISTANT_TIMEOUT_SECONDS"
  >,
  {
    metrics,
    logger,
  }: {
    readonly metrics: Pick<
      ApiMetrics,
      "assistantRequested" | "assistantTokens" | "assistantAnswered"
    >;
    readonly logger: Pick<Logger, "info" | "warn" | "error">;
  },
): Assistant | null {
  const { ASSISTANT_URL: baseUrl, ASSISTANT_MODEL: model, ASSISTANT_KEY: key = null } = config;
  if (baseUrl === undefined) return null;
  if (model === undefined) throw new ConfigError("ASSISTANT_MODEL: is required with ASSISTANT_URL");
  const path = "chat/completions";
  const post = createPost({
    baseUrl,
    authenticate: bearer(key),
    timeoutMs: config.ASSISTANT_TIMEOUT_SECONDS * 1_000,
    onRequest: metrics.assistantRequested,
  });
  const harmless: Message = { role: "user", content: "Answer with OK." };
  const breaker = createCircuitBreaker({
    post,
    probe: (signal) => post(path, { model, messages: [harmless] }, readCompletion, signal),
    onChange(state) {
      const { problem } = state;
      if (problem === null) return logger.info("the assistant responds");
      const entry = { reason: problem.message };
      if (isMisconfigured(state)) {
        return logger.error(entry, "correct ASSISTANT_URL, ASSISTANT_MODEL or ASSISTANT_KEY");
      }
      logger.warn(entry, "the assistant fails");
    },
  });
  let running = 0;

  function assertRoom(): void {
    if (running < maxCalls) return;
    throw new AppError(
      "overloaded",
      "Too many requests wait for the assistant. Send the request again after Retry-After.",
      { retryAfterMs: shortestRetryMs },
    );
  }

  /** Sends messages, and returns the text of the answer. */
  async function send(
    messages: readonly Message[],
    schema: object,
    signal: AbortSignal,
  ): Promise<string> {
    const order = {
      model,
      messages,
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema },
      },
    };
    const { choices, usage } = await breaker.post(path, order, readCompletion, signal);
    metrics.assistantTokens("input", usage?.prompt_tokens ?? 0);
    metrics.assistantTokens("output", usage?.completion_tokens ?? 0);
    const [choice] = choices;
    if (choice?.message.refusal || choice?.finish_reason === "content_filter") {
      metrics.assistantAnswered("declined");
      throw new AppError(
        "provider_refused",
        "The assistant declined this request. Change the text, or write without the assistant.",
        { details: { reason: "declined" } },
      );
    }
    return choice?.message.content ?? "";
  }

  async function answer<Schema extends z.ZodType, Result>(
    { instructions, given, schema, read, review }: Question<Schema, Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const jsonSchema = z.toJSONSchema(schema, { io: "input" });
    delete jsonSchema.$schema;
    const messages: Message[] = [
      { role: "system", content: instructions },
      { role: "user", content: JSON.stringify(given) },
    ];
    for (const result of ["used", "repaired"] as const) {
      const content = await send(messages, jsonSchema, signal);
      let written: Result;
      try {
        written = read(parseRequest(schema, parseJson(content)));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Servers refuse an empty message.
        const repeated = content.slice(0, maxRepeated);
        if (repeated !== "") messages.push({ role: "assistant", content: repeated });
        messages.push({ role: "user", content: describeProblems(error) });
        continue;
      }
      const reviewed = await review(written);
      metrics.assistantAnswered(reviewed === null ? "withheld" : result);
      if (reviewed !== null) return reviewed;
      throw new AppError(
        "provider_error",
        "The texts of the assistant violate the content policy and are not returned. Change the text, or write without the assistant.",
        { details: { reason: "withheld" } },
      );
    }
    metrics.assistantAnswered("unusable");
    throw unusable();
  }

  return {
    assertAvailable() {
      const { isOpen, problem } = breaker.state();
      if (isOpen && problem !== null) throw toAppError(problem);
      assertRoom();
    },
    async ask(question, signal) {
      assertRoom();
      running += 1;
      try {
        return await answer(question, signal);
      } catch (error) {
        // The response has no receiver; nothing has failed.
        if (signal.aborted) throw new AppError("provider_unavailable", "The client disconnected.");
        if (!(error instanceof RemoteDown)) throw error;
        logger.warn({ reason: error.message }, "the assistant gave no answer");
        throw toAppError(error);
      } finally {
        running -= 1;
      }
    },
    close: () => breaker.close(),
  };
}

/** Parses an answer. Models put JSON into a code block, or write a sentence before it. */
function parseJson(content: string): unknown {
  try {
    return JSON.parse(content.slice(content.indexOf("{"), content.lastIndexOf("}") + 1));
  } catch {
    throw invalidRequest({ path: "", code: "invalid_json", message: "must be a JSON object" });
  }
}

/** Names the problems of an answer for the model. */
function describeProblems({ details }: AppError): string {
  const problems = (Array.isArray(details) ? details : []) as readonly RequestProblem[];
  const lines = problems
    .slice(0, maxProblems)
    .map(({ path, message }) => `- ${path || "the answer"}: ${message}`);
  return `Your answer cannot be used:\n${lines.join("\n")}\nAnswer with the corrected JSON object, and nothing else.`;
}

function unusable(cause?: RemoteDown): AppError {
  return new AppError(
    "provider_error",
    "The answer of the assistant cannot be used. Send the request again, or change the text.",
    { details: { reason: "unusable" }, retryable: true, cause },
  );
}

function toAppError(cause: RemoteDown): AppError {
  if (!isOfServer(cause)) return unusable(cause);
  return new AppError(
    "provider_unavailable",
    "The assistant does not answer at the moment. Try again later, or write without the assistant.",
    {
      retryable: true,
      retryAfterMs: Math.max(shortestRetryMs, Math.ceil(cause.retryAfterMs ?? 0)),
      cause,
    },
  );
}
