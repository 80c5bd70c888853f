import { newId } from "@atelier/database";
import { giveAnswer, loseAnswer, type AnswerHolder } from "@atelier/generations/accept";
import { AppError } from "@atelier/schemas";
import type { Request } from "express";
import type { Needs } from "../dependencies.ts";
import type { Joins, Requester } from "../generations/accept/submit.ts";
import { hashRequest } from "../http/idempotency-key.ts";

/** Sent by OpenAI's clients: how often they have sent this request before. */
const retryHeader = "X-Stainless-Retry-Count";

/** The claim of a request to the response of a job. */
interface Claim extends Pick<Requester, "answer"> {
  /** Records the response as lost when the client disconnects before its last byte. */
  hold(generationId: string, signal: AbortSignal): void;
  /**
   * Gives the response out, before it is sent.
   *
   * @throws AppError `overloaded` when a retry has it.
   */
  give(): Promise<void>;
  /** Leaves the response to the next equal request; returns whether it joins the job. */
  lose(): Promise<boolean>;
}

/**
 * Creates the claim of a request of OpenAI's clients. Its retry gets the response of the first request,
 * as does any equal request without a seed after a response was lost.
 *
 * @param hasKey an `Idempotency-Key` says which requests are the same; the claim then has no effect.
 */
export function claimAnswer(
  request: Request,
  fields: object,
  hasKey: boolean,
  { config, database, logger }: Needs<"config" | "database" | "logger">,
): Claim {
  const sql = database.repeatable;
  const answer =
    hasKey || config.FACADE_JOIN === "off"
      ? null
      : {
          hash: hashRequest(request, fields),
          requestId: newId(),
          joins: readJoins(request, fields),
        };
  let holder: AnswerHolder | null = null;

  async function lose(): Promise<boolean> {
    return holder !== null && loseAnswer(sql, holder);
  }

  function loseUnawaited(): void {
    lose().catch((error: unknown) => {
      logger.warn({ err: error, generationId: holder?.generationId }, "lost response not recorded");
    });
  }

  return {
    answer,
    hold(generationId, signal) {
      if (answer === null) return;
      holder = { ...answer, generationId };
      if (signal.aborted) loseUnawaited();
      else signal.addEventListener("abort", loseUnawaited, { once: true });
    },
    async give() {
      if (holder !== null && !(await giveAnswer(sql, holder))) throw answerTaken(holder);
    },
    lose,
  };
}

function readJoins(request: Request, { seed }: { readonly seed?: unknown }): Joins {
  if (Number(request.get(retryHeader)) >= 1) return "waiting";
  return seed === undefined ? "lost" : "none";
}

/** The error for a request that still waits while its retry, or that of an equal request, has its image. */
function answerTaken({ generationId }: AnswerHolder): AppError {
  return new AppError(
    "overloaded",
    `A retry of this request received the image of job ${generationId}. Send the request again to get another one.`,
    { retryAfterMs: 1_000 },
  );
}
