import type { Quote } from "@atelier/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { useDebounced } from "../../form/use-debounced.ts";
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
): {
  readonly quote: Quote | undefined;
  /** Whether the quote is that of an earlier request. */
  readonly isQuoteStale: boolean;
  readonly error: unknown;
} {
  const latest = request === null ? null : JSON.stringify({ operation, request });
  const text = useDebounced(latest, pauseMs);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["quote", text],
    queryFn: ({ signal }) => call("POST /v1/quotes", { body: JSON.parse(text ?? ""), signal }),
    enabled: text !== null,
    placeholderData: keepPreviousData,
  });
  return {
    quote: latest === null ? undefined : data,
    isQuoteStale: latest !== null && (isPlaceholderData || text !== latest),
    error,
  };
}
