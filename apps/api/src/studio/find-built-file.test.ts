import { describe, expect, it } from "vitest";
import { findBuiltFile } from "./find-built-file.ts";

describe("findBuiltFile", () => {
  it.each([
    "/",
    "/library",
    "/stories/new",
    "/stories/",
    "/models/gpt-image-1.5",
    "/.env",
    "/..%2f",
  ])("shows the page %s with index.html", (path) =>
    expect(findBuiltFile(path)).toEqual({ path: "index.html", isAsset: false }),
  );

  it("finds files at the root and assets", () => {
    expect(findBuiltFile("/theme.js")).toEqual({ path: "theme.js", isAsset: false });
    expect(findBuiltFile("/assets/index-C3x_Z-1.js")).toEqual({
      path: "assets/index-C3x_Z-1.js",
      isAsset: true,
    });
  });

  it.each(["/assets/", "/assets/..%2findex.html", "/assets/../index.html", "/assets/.stamp"])(
    "finds nothing for %s",
    (path) => expect(findBuiltFile(path)).toBeNull(),
  );
});
