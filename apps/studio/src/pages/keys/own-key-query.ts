import { queryOptions } from "@tanstack/react-query";
import { sendJson } from "../../api.ts";

/** The id of the key that this browser is signed in with. */
export const ownKeyQuery = queryOptions({
  queryKey: ["session", "key"],
  queryFn: async ({ signal }) => {
    const { key_id: id } = await sendJson<{ key_id: string | null }>("GET", "/studio/session", {
      signal,
    });
    return id;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
