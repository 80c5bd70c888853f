import type { Quote } from "@atelier/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { sendJson } from "../../api.ts";
import { useDebounced } from "../create/use-debounced.ts";
import type { StoryBody } from "./story-request.ts";

/** Requests wait for a pause in typing. */
const pauseMs = 350;

/**
 * The price of a request, shortly after its last change.
 *
 * @param request null while it is not known; it must have all required texts.
 */
export function usePrice(
  operation: "story" | "scene",
  request: StoryBody | null,
): { readonly quote: Quote | undefined; readonly error: unknown } {
  const text = useDebounced(
    request === null ? null : JSON.stringify({ operation, request }),
    pauseMs,
  );
  const { data, error } = useQuery({
    queryKey: ["quote", text],
    queryFn: ({ signal }) =>
      sendJson<Quote>("POST", "/v1/quotes", { body: JSON.parse(text ?? ""), signal }),
    enabled: text !== null,
    placeholderData: keepPreviousData,
  });
  return { quote: data, error };
}
