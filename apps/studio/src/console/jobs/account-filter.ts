import type { JobStatus } from "@atelier/schemas";
import { texts } from "../../texts/console.ts";

/** Whose jobs a list has, as in the query of `GET /admin/v1/jobs`. */
export interface AccountFilter {
  readonly account_id: string;
  /** Undefined for all states. */
  readonly status: JobStatus | undefined;
}

/** The states of jobs in their order. */
export const jobStates = Object.keys(texts.console.jobs.states) as readonly JobStatus[];

/** Reads the account of an address; null for a list of all accounts. */
export function readFilter(search: URLSearchParams): AccountFilter | null {
  const account = search.get("account");
  const status = jobStates.find((state) => state === search.get("status"));
  return account === null ? null : { account_id: account, status };
}

/** Makes the query of the address of a list. */
export function searchFor(text: string, filter: AccountFilter | null): Record<string, string> {
  return {
    ...(text !== "" && { q: text }),
    ...(filter !== null && { account: filter.account_id }),
    ...(filter?.status !== undefined && { status: filter.status }),
  };
}
