import { expect, it, vi } from "vitest";
import { messageOfCode, signIn } from "./api.ts";

it("reports a sign-in whose response ends early as unreachable", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"replaces":')));
  await expect(signIn({ link: "once" })).rejects.toMatchObject({ code: "unreachable" });
  vi.unstubAllGlobals();
});

it("says which budget is exhausted, and when it starts again without a raw timestamp", () => {
  const message = "It starts again at 2026-12-07T00:00:00.000Z.";
  const shared = { budget_name: "Makers", resets_at: "2026-12-07T12:00:00.000Z" };
  const text = messageOfCode({ code: "budget_exhausted", message, details: shared });
  expect(text).toContain(
    'The shared budget "Makers" does not cover this request. It starts again on Dec 7, 2026',
  );
  const own = { resets_at: null };
  expect(messageOfCode({ code: "key_budget_exhausted", message, details: own })).toBe(
    "The budget of the key does not cover this request.",
  );
  expect(messageOfCode({ code: "budget_exhausted", message })).toBe(message);
});
