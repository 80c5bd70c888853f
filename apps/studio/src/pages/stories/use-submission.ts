import type { GenerationResponse, JobAccepted } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { ApiError, sendJson } from "../../api.ts";
import { accountQuery, queryClient } from "../../data/queries.ts";
import { randomKey } from "../../data/random-key.ts";
import type { StoryBody } from "./story-request.ts";

type Operation = "story" | "scene";

/** A request whose response was lost. */
interface Unanswered {
  readonly key: string;
  readonly body: StoryBody;
}

/** Requests without a response by their content, until the page is reloaded. */
const unanswered = new Map<string, Unanswered>();

/**
 * Requests a story or a scene without waiting for it. After a lost response, the same request is sent
 * with the same idempotency key, also after the form was closed and opened again, so that it is not
 * made and charged twice.
 *
 * @param complete adds what is known only when a new request is sent.
 * @returns the id of the job.
 */
export async function submitOnce(
  operation: Operation,
  body: StoryBody,
  complete: (body: StoryBody) => StoryBody | Promise<StoryBody> = (one) => one,
): Promise<string> {
  const content = operation + JSON.stringify(body);
  const request = unanswered.get(content) ?? { key: randomKey(), body: await complete(body) };
  unanswered.set(content, request);
  try {
    const response = await sendJson<JobAccepted | GenerationResponse>(
      "POST",
      `/v1/generate/${operation}`,
      {
        body: request.body,
        headers: { Prefer: "respond-async", "Idempotency-Key": request.key },
      },
    );
    unanswered.delete(content);
    return "job_id" in response ? response.job_id : response.id;
  } catch (error) {
    if (isRefusal(error)) unanswered.delete(content);
    throw error;
  }
}

/** Balance and lists, after a request was accepted. */
export function refreshAfterOrder(): void {
  void queryClient.invalidateQueries(accountQuery);
  void queryClient.invalidateQueries({ queryKey: ["jobs"] });
}

/** Requests a story or a scene as `submitOnce` does, when it is called for. */
export function useSubmission(
  operation: Operation,
  onAccepted: (jobId: string) => void | Promise<void>,
  complete?: (body: StoryBody) => StoryBody | Promise<StoryBody>,
) {
  return useMutation({
    mutationFn: (body: StoryBody) => submitOnce(operation, body, complete),
    onSuccess: async (jobId) => {
      refreshAfterOrder();
      await onAccepted(jobId);
    },
  });
}

/** Whether the service has not accepted the request and will not. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === "idempotency_in_progress") return false;
  return error.status >= 400 && error.status < 500;
}
