import type { Quote } from "@atelier/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";
import { useDebounced } from "../../form/use-debounced.ts";
import type { DraftRequest } from "./draft.ts";

/** Requests wait for a pause in typing. */
const pauseMs = 350;

/**
 * The price of a request and how long it would wait, shortly after its last change.
 *
 * @param request null while it lacks what no price is known without.
 */
export function useQuote(request: DraftRequest | null): {
  readonly quote: Quote | undefined;
  /** Whether the quote is that of an earlier request. */
  readonly isStale: boolean;
  readonly error: unknown;
  readonly refetch: () => void;
} {
  const latest = request === null ? null : JSON.stringify(withTexts(request));
  const text = useDebounced(latest, pauseMs);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ["quote", text],
    queryFn: ({ signal }) => call("POST /v1/quotes", { body: JSON.parse(text ?? ""), signal }),
    enabled: text !== null,
    placeholderData: keepPreviousData,
  });
  return {
    quote: latest === null ? undefined : data,
    isStale: latest !== null && (isPlaceholderData || text !== latest),
    error,
    refetch: () => void refetch(),
  };
}

/** Prices depend on no text, but a request without its texts is not valid. */
function withTexts({ operation, body }: DraftRequest): object {
  const references = body["reference_images"] as readonly object[] | undefined;
  return {
    operation,
    request: {
      ...body,
      ...("prompt" in body ? { prompt: "image" } : {}),
      ...(references === undefined
        ? {}
        : { reference_images: references.map((one) => ({ ...one, description: "image" })) }),
    },
  };
}
