import { useMutation } from "@tanstack/react-query";
import { refreshAfterRequest, submitOnce } from "../../data/submit-once.ts";
import type { Draft, DraftRequest } from "./draft.ts";

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
    mutationFn: ({ request }: Submission) => submitOnce(request.operation, request.body),
    onSuccess: refreshAfterRequest,
  });
}
