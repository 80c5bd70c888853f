import { expect, it } from "vitest";
import { createLossyNote } from "./note-lossy-answer.ts";

it("logs once per lane that a provider returns JPEG", () => {
  const warnings: unknown[] = [];
  const note = createLossyNote({ warn: (fields: unknown) => warnings.push(fields) });
  note("gpu-box", { mediaType: "image/png" });
  note("gpu-box", { mediaType: "image/webp" });
  expect(warnings).toEqual([]);
  note("gpu-box", { mediaType: "image/jpeg" });
  note("gpu-box", { mediaType: "image/jpeg" });
  note("other", { mediaType: "image/jpeg" });
  expect(warnings).toEqual([
    { lane: "gpu-box", mediaType: "image/jpeg" },
    { lane: "other", mediaType: "image/jpeg" },
  ]);
});
