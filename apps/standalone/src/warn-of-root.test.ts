import { expect, it } from "vitest";
import { warnOfRoot } from "./warn-of-root.ts";

it("warns only of a start as root", () => {
  expect(warnOfRoot(0)).toContain("ordinary user");
  expect([warnOfRoot(1_000), warnOfRoot(undefined)]).toEqual([null, null]);
});
