import type { FoundGeneration } from "@atelier/generations/jobs";
import { presentResult } from "@atelier/presentation";
import { AppError, type JobAccepted, type Operation, type RequestOf } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { Needs } from "../../dependencies.ts";
import { filesExpired } from "../../http/answer/send-files.ts";
import { contextOf, disconnectSignal, setJob } from "../../http/context.ts";
import { readIdempotencyKey } from "../../http/idempotency-key.ts";
import type { Shares } from "../../http/limits/shares.ts";
import { submit, type SubmitDependencies } from "../accept/submit.ts";
import type { OperationRequest } from "../plan/operations.ts";
import { announceRetirement } from "./announce-retirement.ts";
import { sendInline } from "./send-inline.ts";
import { signWith } from "./sign.ts";
import { waitForResult } from "./wait-for-result.ts";

/** Handles a `POST /v1/generate/…` request: submits, waits for the result and responds. */
export async function respond(
  request: Request,
  response: Response,
  { waitMs, ...operationRequest }: OperationRequest & { readonly waitMs: number },
  dependencies: SubmitDependencies & { readonly memory: Shares },
): Promise<void> {
  const { requestId, caller } = contextOf(response);
  const { body, images } = operationRequest;
  // Images that arrive with the request are part of what is compared with a repeated one.
  const boundBody = images?.bind(body) ?? body;
  const requester = {
    requestId,
    caller,
    idempotency: readIdempotencyKey(request, boundBody, caller),
    signal: disconnectSignal(request, response),
    onJob: (generationId: string) => {
      setJob(response, generationId);
      images?.discard();
    },
  };
  announceRetirement(response, dependencies.catalogue.entryOf(body.model));
  const submission = await submit(
    requester,
    { waitMs, request: () => operationRequest },
    dependencies,
  );
  const final = await waitForResult(submission, requester, dependencies);
  if (submission.kind === "replayed") response.set("Idempotent-Replayed", "true");
  // Stories are returned as jobs.
  if (final === null || final.kind === "story") {
    return sendAccepted(response, submission.generationId, dependencies);
  }
  if (final.status !== "completed") throw failureOf(final);
  const result = await presentResult(final, signWith(dependencies));
  // A repetition of a request whose files are no longer kept; its job has the rest of the result.
  if (result.image_url === undefined) throw filesExpired();
  if (isInline(body)) {
    return sendInline(response, result, final, requester.signal, dependencies);
  }
  response.json(result);
}

function isInline({ output }: RequestOf<Operation>): boolean {
  return output !== undefined && "inline" in output && output.inline === true;
}

/** The error of a final generation that was not completed. */
export function failureOf({ error }: FoundGeneration): AppError {
  return error === null
    ? new AppError(
        "job_cancelled",
        "This job was cancelled and nothing was charged. To generate it, send the request again with a new Idempotency-Key.",
      )
    : new AppError(error.error, error.message, { details: error.details });
}

function sendAccepted(response: Response, generationId: string, { config }: Needs<"config">): void {
  const pollUrl = `${config.PUBLIC_URL}/v1/jobs/${generationId}`;
  response
    .status(202)
    .set({ Location: pollUrl, "Retry-After": "2" })
    .json({ job_id: generationId, poll_url: pollUrl, status: "pending" } satisfies JobAccepted);
}
