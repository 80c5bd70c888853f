import { expect, it } from "vitest";
import { fileName } from "./file-name.ts";

const jobId = "019f0000-0000-7000-8000-0000deadbeef";

it.each([
  ["A red fox, at night", "atelier-a-red-fox-at-night-deadbeef-1.png"],
  ["../../etc/passwd\0.exe", "atelier-etc-passwd-exe-deadbeef-1.png"],
  ["Élan café Ōsaka", "atelier-elan-cafe-osaka-deadbeef-1.png"],
  ["夜の狐", "atelier-deadbeef-1.png"],
  ["fox\u202egnp.exe", "atelier-fox-gnp-exe-deadbeef-1.png"],
])("names a file of %j with letters and digits only", (title, name) => {
  expect(fileName(title, { jobId, position: 1, extension: "png" })).toBe(name);
});

it("limits the length", () => {
  const name = fileName("fox ".repeat(100), { jobId, extension: "zip" });
  expect(name).toMatch(/^atelier-(fox-)+deadbeef\.zip$/);
  expect(name.length).toBeLessThan(80);
});
