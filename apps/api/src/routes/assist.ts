import { requestOfImages, type ModerationRequest } from "@atelier/moderation";
import { AppError } from "@atelier/schemas";
import { draftStory, improvePrompt } from "@atelier/schemas/endpoints";
import type { Request, Response } from "express";
import type * as z from "zod";
import type { Assistant, Question } from "../assist/assistant.ts";
import { questionOfStory } from "../assist/draft-story.ts";
import { questionOfPrompt } from "../assist/improve-prompt.ts";
import type { Needs } from "../dependencies.ts";
import { contextOf, disconnectSignal } from "../http/context.ts";
import { createAccountGate } from "../http/limits/account-gate.ts";
import type { Routes } from "../http/routes.ts";
import { assertRequestAllowed, findRefusal } from "../moderation/assert-allowed.ts";

/**
 * `/v1/assist`: texts of a language model for a person to see before they are used. No job, no charge, and
 * no state but the daily limit of the account. Test keys share the limit of live keys, because both cost
 * the operator the same.
 */
export function serveAssist(
  routes: Routes,
  dependencies: Needs<"admissions" | "assistant" | "config" | "logger" | "metrics" | "rules">,
): void {
  const gate = createAccountGate({ maxRunning: 2, maxWaiting: 0, maxWaitMs: null }, tooManyAtOnce);

  async function ask<Schema extends z.ZodType, Result>(
    { request, response }: { readonly request: Request; readonly response: Response },
    given: Readonly<Record<string, string | undefined>>,
    question: Question<Schema, Result>,
  ): Promise<Result> {
    const { caller, requestId } = contextOf(response);
    const { accountId, strictness } = caller;
    const assistant = requireAssistant(dependencies);
    const texts = Object.entries(given).flatMap(([path, text]) =>
      text === undefined ? [] : [{ path, text }],
    );
    const origin = { accountId, requestId };
    await assertRequestAllowed({ texts, strictness, hasClientImages: false }, origin, dependencies);
    return gate.run(accountId, async () => {
      assistant.assertAvailable();
      await limitDay(accountId, dependencies);
      return assistant.ask(question, disconnectSignal(request, response));
    });
  }

  const isAllowed = async (accountId: string, request: ModerationRequest) =>
    (await findRefusal(request, accountId, dependencies)) === null;

  routes.add(improvePrompt, async ({ body, caller: { accountId, strictness }, ...exchange }) => {
    const suggestions = await ask(exchange, body, {
      ...questionOfPrompt(body),
      async review(written) {
        const allowed = [];
        for (const suggestion of written) {
          const texts = [suggestion.prompt, ...suggestion.added].map((text, index) => ({
            path: index === 0 ? "prompt" : `added.${index - 1}`,
            text,
          }));
          const request = { texts, strictness, hasClientImages: false };
          if (await isAllowed(accountId, request)) allowed.push(suggestion);
        }
        return allowed.length === 0 ? null : allowed;
      },
    });
    return { suggestions };
  });

  routes.add(draftStory, async ({ body, caller: { accountId, strictness }, ...exchange }) => {
    const { story } = await ask(
      exchange,
      { idea: body.idea, style: body.style },
      {
        ...questionOfStory(body, strictness),
        async review(draft) {
          const specs = draft.plan.renders.map(({ spec }) => spec);
          const request = requestOfImages(specs, strictness);
          // The title is the name of the job, and no part of a prompt.
          const title = { path: "title", text: draft.story.title };
          const texts = [...request.texts, title];
          return (await isAllowed(accountId, { ...request, texts })) ? draft : null;
        },
      },
    );
    return { story };
  });
}

/** @throws AppError `assistant_off`. */
function requireAssistant({ assistant }: Needs<"assistant">): Assistant {
  if (assistant !== null) return assistant;
  throw new AppError(
    "assistant_off",
    "This server has no assistant. Write the texts yourself, or ask the operator to set ASSISTANT_URL.",
  );
}

/** @throws AppError `rate_limited` with the time of the next request. */
async function limitDay(
  accountId: string,
  { admissions, config }: Needs<"admissions" | "config">,
): Promise<void> {
  const perDay = config.ASSIST_PER_DAY;
  const waitMs = await admissions.takeDaily(accountId, { policy: "assist", perDay });
  if (waitMs === 0) return;
  throw new AppError(
    "rate_limited",
    `This account may use the assistant ${perDay} times at once, then ${perDay} times spread over a day. Send the request again after Retry-After.`,
    { details: { limit_per_day: perDay }, retryAfterMs: waitMs },
  );
}

function tooManyAtOnce(): AppError {
  return new AppError(
    "rate_limited",
    "Two requests of this account wait for the assistant. Wait for their responses, then send this one again.",
    { retryAfterMs: 5_000 },
  );
}
