import { useMutation } from "@tanstack/react-query";
import { refreshAfterRequest, submitOnce } from "../../data/submit-once.ts";
import type { StoryBody } from "./story-request.ts";

/**
 * Requests a story or a scene as `submitOnce` does, when it is called for.
 *
 * @param body the request as the form has it now.
 */
export function useSubmission(
  operation: "story" | "scene",
  body: StoryBody | null,
  onAccepted: (jobId: string) => void | Promise<void>,
  complete?: (body: StoryBody) => StoryBody | Promise<StoryBody>,
) {
  const submission = useMutation({
    mutationFn: (sent: StoryBody) => submitOnce(operation, sent, complete),
    onSuccess: async (jobId) => {
      refreshAfterRequest();
      await onAccepted(jobId);
    },
  });
  return {
    ...submission,
    /** Whether the form still has the request that was sent last. */
    isUnchanged: JSON.stringify(submission.variables) === JSON.stringify(body),
  };
}
