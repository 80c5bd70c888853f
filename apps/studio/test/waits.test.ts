import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** The matches of `pattern` in the browser tests, each with the name of its file. */
const findInSuites = (pattern: RegExp): string[] =>
  globSync("*.suite.ts", { cwd: import.meta.dirname }).flatMap((file) =>
    [...readFileSync(`${import.meta.dirname}/${file}`, "utf8").matchAll(pattern)].map(
      ([match]) => `${file}: ${match}`,
    ),
  );

// Without `exact`, "Copied" also finds "A copied URL works until…", and which texts a page has at that
// moment depends on the speed of the machine.
it("waits for a text of a single word only as the whole text of an element", () => {
  expect(findInSuites(/getByText\("\w+"\)\.(?!first|count|or)/g)).toEqual([]);
});

// A dialog that the address names is closed by `history.back()`, which returns before it has gone back; a
// reload at that moment is aborted.
it("waits until a closed dialog is gone before it loads a page", () => {
  const closes = /(?:press\("Escape"\)|name: "Close" \}\)\.click\(\));/.source;
  const lines = /(?:(?!.*(?:"detached"|\.click\()).*\n){1,4}/.source;
  const loads = /^ *await page\.(?:reload|goto)\(/.source;
  expect(findInSuites(new RegExp(closes + lines + loads, "gm"))).toEqual([]);
});

// A page shows the result of a click a moment later: `expect.poll` reads it until it is as expected.
it("reads what a page shows until it is as expected", () => {
  const inCall = /(?:(?!\)\s*\.(?:not\.)?to[A-Z])[^;])*?/.source;
  const read =
    /\.(?:count|title|inputValue|is[A-Z]\w+|textContent|innerText|all\w+s|getAttribute|evaluate)\(/
      .source;
  expect(
    findInSuites(
      new RegExp(
        `expect\\(\\s*(?:await ${inCall}${read}|[^;()]*page\\.url|new URL\\([^;()]*page\\.url)`,
        "g",
      ),
    ),
  ).toEqual([]);
});
