import { expect, it } from "vitest";
import { countFiles } from "./count-files.ts";

it("reports the files and bytes of a step at most every five seconds", () => {
  const lines: string[] = [];
  let now = 0;
  const count = countFiles(
    "Copying images",
    (line) => lines.push(line),
    () => now,
  );
  for (now = 1_000; now <= 12_000; now += 1_000) count(1_500_000);
  expect(lines).toEqual(["Copying images: 5 files, 7.5 MB", "Copying images: 10 files, 15.0 MB"]);
});
