import type { Operation, Quote } from "@atelier/schemas";
import { useQueries } from "@tanstack/react-query";
import { call } from "../../api.ts";
import type { StoryBody } from "./story-request.ts";

/** A request for a scene as it is quoted: without its texts, so that scenes of one shape are quoted once. */
export function sceneToQuote(body: StoryBody): StoryBody {
  return { ...body, prompt: "scene", metadata: undefined };
}

/** A quote for several requests together; equal requests are quoted once. */
export function useTotal(
  orders: readonly { readonly operation: Operation; readonly request: StoryBody }[],
) {
  const requests = orders.map((order) => JSON.stringify(order));
  const different = [...new Set(requests)];
  return useQueries({
    queries: different.map((text) => ({
      queryKey: ["quote", text],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call("POST /v1/quotes", { body: JSON.parse(text), signal }),
    })),
    combine: (reads) => ({
      quote: totalOf(requests.map((request) => reads[different.indexOf(request)]?.data)),
      error: reads.find((read) => read.error !== null)?.error ?? null,
    }),
  });
}

function totalOf(quotes: readonly (Quote | undefined)[]): Quote | undefined {
  const known = quotes.filter((quote) => quote !== undefined);
  const [first] = known;
  if (first === undefined || known.length < quotes.length) return undefined;
  const micro = known.reduce((sum, quote) => sum + Math.round(Number(quote.price_eur) * 1e6), 0);
  return {
    ...first,
    price_eur: String(micro / 1e6),
    affordable:
      known.every(({ affordable }) => affordable) && micro <= Number(first.balance_eur) * 1e6,
  };
}
