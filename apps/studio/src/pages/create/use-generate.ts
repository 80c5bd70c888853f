import type { GenerationResponse, JobAccepted } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, sendJson } from "../../api.ts";
import { accountQuery, queryClient } from "../../data/queries.ts";
import { randomKey } from "../../data/random-key.ts";
import type { Draft, DraftRequest } from "./draft.ts";

interface Submission {
  readonly draft: Draft;
  readonly request: DraftRequest;
}

/**
 * Requests images without waiting for them. After a lost response, the same request is sent with the
 * same idempotency key, so that it is not made and charged twice.
 */
export function useGenerate(onAccepted: (jobId: string) => void) {
  const unanswered = useRef<{ readonly text: string; readonly key: string } | null>(null);
  return useMutation({
    mutationFn: async ({ request }: Submission) => {
      const text = JSON.stringify(request);
      const last = unanswered.current;
      const key = last !== null && last.text === text ? last.key : randomKey();
      unanswered.current = { text, key };
      try {
        const path = `/v1/generate/${request.operation}`;
        const response = await sendJson<JobAccepted | GenerationResponse>("POST", path, {
          body: request.body,
          headers: { Prefer: "respond-async", "Idempotency-Key": key },
        });
        unanswered.current = null;
        // A repeated request may find its job completed.
        return "job_id" in response ? response.job_id : response.id;
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
          unanswered.current = null;
        }
        throw error;
      }
    },
    onSuccess: (jobId) => {
      void queryClient.invalidateQueries(accountQuery);
      onAccepted(jobId);
    },
  });
}
