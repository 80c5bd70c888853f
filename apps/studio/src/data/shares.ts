import type { Job } from "@atelier/schemas";
import type { CreatedShare, NewShare } from "@atelier/schemas/endpoints";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";
import { mayChange, useSession } from "../session.ts";
import { accountQuery, queryClient } from "./queries.ts";
import { readAllPages } from "./read-all-pages.ts";

/** All shares of the account that have not ended, newest first. Needs the scope `read`. */
export const sharesQuery = queryOptions({
  queryKey: ["shares"],
  queryFn: async ({ signal }) => {
    const pages = await readAllPages((cursor) =>
      call("GET /v1/shares", { query: { limit: 100, cursor }, signal }),
    );
    const all = pages.flatMap(({ shares }) => shares);
    return all.filter(({ expires_at: end }) => Date.parse(end) > Date.now());
  },
});

/** Creates a link. No later response contains it. */
export async function createShare(body: NewShare): Promise<CreatedShare> {
  const created = await call("POST /v1/shares", { body });
  await queryClient.invalidateQueries(sharesQuery);
  return created;
}

/** Ends a link. */
export async function stopShare(id: string): Promise<void> {
  await call("DELETE /v1/shares/{id}", { id });
  await queryClient.invalidateQueries(sharesQuery);
}

/** Whether a job can be shared: the service has links, the session may create them for it, and it is no test. */
export function useCanShare(job: Pick<Job, "key" | "mode">): boolean {
  const { data: account } = useQuery(accountQuery);
  const { scopes } = useSession();
  const isPermitted = scopes.includes("read") && scopes.includes("generate");
  return account?.sharing === true && isPermitted && mayChange(job) && job.mode !== "test";
}
