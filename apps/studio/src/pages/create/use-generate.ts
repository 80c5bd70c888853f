import type { GenerationResponse, JobAccepted } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { ApiError, sendJson } from "../../api.ts";
import { accountQuery, queryClient } from "../../data/queries.ts";
import type { Draft, DraftRequest } from "./draft.ts";
import { forgetOrder, keyOfOrder } from "./unanswered-order.ts";

interface Submission {
  readonly draft: Draft;
  readonly request: DraftRequest;
}

/**
 * Requests images without waiting for them, and returns the id of the job. A request that is repeated
 * after a lost response returns the job that it has made, also a failed one.
 */
export function useGenerate() {
  return useMutation({
    mutationFn: async ({ request }: Submission) => {
      try {
        const response = await sendJson<JobAccepted | GenerationResponse>(
          "POST",
          `/v1/generate/${request.operation}`,
          {
            body: request.body,
            headers: {
              Prefer: "respond-async",
              "Idempotency-Key": keyOfOrder(JSON.stringify(request)),
            },
          },
        );
        forgetOrder();
        // A repeated request may find its job completed.
        return "job_id" in response ? response.job_id : response.id;
      } catch (error) {
        if (isAnswered(error)) forgetOrder();
        if (error instanceof ApiError && error.jobId !== null) return error.jobId;
        throw error;
      }
    },
    onSuccess: () => {
      void queryClient.invalidateQueries(accountQuery);
      void queryClient.invalidateQueries({ queryKey: ["jobs"] });
    },
  });
}

/** Whether it is certain what became of a request. */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === "idempotency_in_progress") return false;
  return error.jobId !== null || (error.status >= 400 && error.status < 500);
}
