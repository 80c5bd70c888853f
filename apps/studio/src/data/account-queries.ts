import type { ApiKey, TransactionList, Webhook } from "@atelier/schemas";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { sendJson } from "../api.ts";

/** The keys of the account, newest first. Needs the scope `manage`. */
export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: async ({ signal }) => {
    const { keys } = await sendJson<{ keys: ApiKey[] }>("GET", "/v1/keys", { signal });
    return keys;
  },
});

/** The webhooks of the account, newest first. Needs the scope `manage`. */
export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: async ({ signal }) => {
    const { webhooks } = await sendJson<{ webhooks: Webhook[] }>("GET", "/v1/webhooks", { signal });
    return webhooks;
  },
});

/** The top-ups, charges and withdrawals, newest first. Needs the scope `read`. */
export const transactionsQuery = infiniteQueryOptions({
  queryKey: ["transactions"],
  queryFn: ({ pageParam, signal }) =>
    sendJson<TransactionList>(
      "GET",
      `/v1/transactions?limit=20${pageParam === null ? "" : `&cursor=${pageParam}`}`,
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});
