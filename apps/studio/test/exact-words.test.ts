import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

// Without `exact`, "Copied" also finds "A copied URL works until…", and which texts a page has at that
// moment depends on the speed of the machine.
it("waits for a text of a single word only as the whole text of an element", () => {
  const loose = globSync("*.suite.ts", { cwd: import.meta.dirname }).flatMap((file) =>
    [
      ...readFileSync(`${import.meta.dirname}/${file}`, "utf8").matchAll(
        /getByText\("\w+"\)\.(?!first|count|or)/g,
      ),
    ].map(([call]) => `${file}: ${call}`),
  );
  expect(loose).toEqual([]);
});
