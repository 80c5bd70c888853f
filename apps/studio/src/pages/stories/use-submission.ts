import type { GenerationResponse, JobAccepted } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, sendJson } from "../../api.ts";
import { accountQuery, queryClient } from "../../data/queries.ts";
import { randomKey } from "../../data/random-key.ts";
import type { StoryBody } from "./story-request.ts";

/**
 * Requests a story or a scene without waiting for it. After a lost response, the same request is sent
 * with the same idempotency key, so that it is not made and charged twice.
 */
export function useSubmission(
  operation: "story" | "scene",
  onAccepted: (jobId: string) => void | Promise<void>,
) {
  const unanswered = useRef<{ readonly text: string; readonly key: string } | null>(null);
  return useMutation({
    mutationFn: async (body: StoryBody) => {
      const text = JSON.stringify(body);
      const last = unanswered.current;
      const key = last !== null && last.text === text ? last.key : randomKey();
      unanswered.current = { text, key };
      try {
        const response = await sendJson<JobAccepted | GenerationResponse>(
          "POST",
          `/v1/generate/${operation}`,
          { body, headers: { Prefer: "respond-async", "Idempotency-Key": key } },
        );
        unanswered.current = null;
        return "job_id" in response ? response.job_id : response.id;
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
          unanswered.current = null;
        }
        throw error;
      }
    },
    onSuccess: async (jobId) => {
      void queryClient.invalidateQueries(accountQuery);
      void queryClient.invalidateQueries({ queryKey: ["jobs"] });
      await onAccepted(jobId);
    },
  });
}
