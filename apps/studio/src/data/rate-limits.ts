import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "./queries.ts";

/** The limits of a key: orders of images and stories, and all other requests. */
export const policies = ["generate", "other"] as const;
export type Policy = (typeof policies)[number];

/** The remaining allowance of a key, as of the last response with rate limit headers. */
interface Allowance {
  readonly perMinute: number;
  readonly left: number;
}

/** The allowance of the key of this session; null until a response has told it. */
export function allowanceQuery(policy: Policy) {
  return queryOptions({
    queryKey: keyOf(policy),
    queryFn: (): Allowance | null => null,
    initialData: null as Allowance | null,
    enabled: false,
  });
}

function keyOf(policy: Policy) {
  return ["allowance", policy] as const;
}

/** Takes over the allowance that a response tells (draft-ietf-httpapi-ratelimit-headers-10). */
export function recordAllowance({ headers }: Response): void {
  const [, name, perMinute] = /^"(\w+)";q=(\d+)/.exec(headers.get("RateLimit-Policy") ?? "") ?? [];
  const left = /;r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1];
  const policy = policies.find((one) => one === name);
  if (policy === undefined || left === undefined) return;
  const allowance: Allowance = { perMinute: Number(perMinute), left: Number(left) };
  queryClient.setQueryData<Allowance | null>(keyOf(policy), allowance);
}

/** Returns the remaining requests of an allowance some time later, since it is refilled steadily. */
export function leftAfter({ perMinute, left }: Allowance, elapsedMs: number): number {
  return Math.min(left + Math.floor((perMinute * elapsedMs) / 60_000), perMinute);
}
