import { describe, expect, it } from "vitest";
import { knownLargeFolders, knownLongFiles } from "./exceptions.ts";
import { findProblems } from "./find-problems.ts";

const known = {
  packages: {},
  files: { vocabulary: 0, pictures: 0 },
  longFiles: knownLongFiles.map((name) => ({ name, lines: 401 })),
  largeFolders: knownLargeFolders.map((name) => ({ name, files: 41 })),
};

describe("findProblems", () => {
  it("accepts the files and folders of the lists", () => {
    expect(findProblems(known)).toEqual([]);
  });

  it("names a long file and a large folder that are not in the lists", () => {
    const problems = findProblems({
      ...known,
      longFiles: [...known.longFiles, { name: "apps/api/src/new.ts", lines: 401 }],
      largeFolders: [...known.largeFolders, { name: "apps/api/src/new", files: 41 }],
    });
    expect(problems).toEqual([
      expect.stringMatching(/^apps\/api\/src\/new\.ts has 401 lines/u),
      expect.stringMatching(/^apps\/api\/src\/new has 41 files/u),
    ]);
  });

  it("names an entry of the lists that is not needed any more", () => {
    const [first, ...others] = known.largeFolders;
    const problems = findProblems({ ...known, largeFolders: others });
    expect(problems).toEqual([
      `${first?.name} is small enough. Remove it from harness/size/exceptions.ts.`,
    ]);
  });
});
