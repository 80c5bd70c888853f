import { beforeEach, expect, it } from "vitest";
import { queryClient } from "./queries.ts";
import { allowanceQuery, leftAfter, recordAllowance } from "./rate-limits.ts";

beforeEach(() => queryClient.clear());

function respond(policy: string, limit: string): void {
  recordAllowance(
    new Response(null, { headers: { "RateLimit-Policy": policy, RateLimit: limit } }),
  );
}
const known = (policy: "generate" | "other") =>
  queryClient.getQueryData(allowanceQuery(policy).queryKey);

it("keeps the newest allowance of each policy", () => {
  respond('"generate";q=300;w=60', '"generate";r=299;t=1');
  respond('"other";q=1200;w=60', '"other";r=7;t=59');
  respond('"other";q=1200;w=60', '"other";r=6;t=59');
  expect(known("generate")).toEqual({ perMinute: 300, left: 299 });
  expect(known("other")).toEqual({ perMinute: 1200, left: 6 });
});

it("ignores responses without a limit, and limits of client addresses", () => {
  recordAllowance(new Response());
  respond('"verify";q=30;w=60', '"verify";r=29;t=2');
  expect(known("generate")).toBeUndefined();
  expect(known("other")).toBeUndefined();
});

it("refills an allowance steadily up to its limit", () => {
  const allowance = { perMinute: 300, left: 10 };
  expect(leftAfter(allowance, 0)).toBe(10);
  expect(leftAfter(allowance, 30_000)).toBe(160);
  expect(leftAfter(allowance, 3_600_000)).toBe(300);
});
