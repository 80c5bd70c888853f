import { expect, it, vi } from "vitest";
import { signIn } from "./api.ts";

it("reports a sign-in whose response ends early as unreachable", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"replaces":')));
  await expect(signIn({ link: "once" })).rejects.toMatchObject({ code: "unreachable" });
  vi.unstubAllGlobals();
});
