import { newId } from "@atelier/database";
import { expect, it } from "vitest";
import { createExportedJobs } from "./exported-jobs.ts";

it("has exactly the ids that were added, page by page", () => {
  const ids = Array.from({ length: 501 }, (_, index) => newId(1_000_000 + index)).toReversed();
  const exported = createExportedJobs();
  expect(exported.has(ids[0] ?? "")).toBe(false);
  const added = ids.filter((_, index) => index % 2 === 1);
  for (let at = 0; at < added.length; at += 100) exported.add(added.slice(at, at + 100));
  expect(ids.filter((id) => exported.has(id))).toEqual(added);
});
