import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../api.ts";

/** The keys of the account, newest first. Needs the scope `manage`. */
export const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: async ({ signal }) => {
    const { keys } = await call("GET /v1/keys", { signal });
    return keys;
  },
});

/** The shared budgets of the account, newest first. Needs the scope `manage`. */
export const budgetsQuery = queryOptions({
  queryKey: ["budgets"],
  queryFn: async ({ signal }) => {
    const { budgets } = await call("GET /v1/budgets", { signal });
    return budgets;
  },
});

/** The members of the account, disabled ones last. Needs the scope `manage`. */
export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: async ({ signal }) => {
    const { members } = await call("GET /v1/members", { signal });
    return members;
  },
});

/** The webhooks of the account, newest first. Needs the scope `manage`. */
export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: async ({ signal }) => {
    const { webhooks } = await call("GET /v1/webhooks", { signal });
    return webhooks;
  },
});

/** The top-ups, charges and withdrawals, newest first. Needs the scope `read`. */
export const transactionsQuery = infiniteQueryOptions({
  queryKey: ["transactions"],
  queryFn: ({ pageParam, signal }) =>
    call("GET /v1/transactions", { query: { limit: 20, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor,
});
