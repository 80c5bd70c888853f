import { describe, expect, it } from "vitest";
import { findMissingMarks } from "./missing-marks.ts";

const rules = { provider: "builtin", procedural: true };
const trained = { provider: "acme", procedural: false };
const noMarks = { TIME_STAMP_URL: [], WATERMARK_SECRET: undefined };
const allMarks = {
  TIME_STAMP_URL: ["https://timestamp.example.com"],
  WATERMARK_SECRET: "a secret that is long enough for this",
};

describe("missing marks", () => {
  it("are the settings without which images of trained models lack a mark", () => {
    const models = [rules, trained];
    expect(findMissingMarks(models, ["builtin", "acme"], noMarks)).toEqual([
      "TIME_STAMP_URL",
      "WATERMARK_SECRET",
    ]);
    expect(findMissingMarks(models, ["acme"], { ...allMarks, TIME_STAMP_URL: [] })).toEqual([
      "TIME_STAMP_URL",
    ]);
    expect(findMissingMarks(models, ["acme"], allMarks)).toEqual([]);
  });

  it("returns an empty list for a worker that serves only procedural models", () => {
    expect(findMissingMarks([rules, trained], ["builtin"], noMarks)).toEqual([]);
  });
});
