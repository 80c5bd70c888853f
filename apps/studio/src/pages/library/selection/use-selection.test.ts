import { describe, expect, it } from "vitest";
import { rangeOf } from "./use-selection.ts";

const listed = ["e", "d", "c", "b", "a"];

describe("a range of the selection", () => {
  it.each([
    { anchor: "d", target: "b" },
    { anchor: "b", target: "d" },
  ])("has all jobs from $anchor to $target", ({ anchor, target }) => {
    expect(rangeOf(listed, anchor, target)).toEqual({ ids: ["d", "c", "b"], anchor });
  });

  it("is the target alone when the anchor is not listed any more", () => {
    expect(rangeOf(listed, "deleted", "b")).toEqual({ ids: ["b"], anchor: "b" });
  });
});
