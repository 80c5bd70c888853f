import { describe, expect, it } from "vitest";
import { countLines } from "./count-lines.ts";

describe("countLines", () => {
  it.each([
    ["code", "const a = 1;\nconst b = 2;\n", 2],
    ["no blank lines", "\n  \nconst a = 1;\n\n", 1],
    ["no line comments", "// Why.\nconst a = 1; // Why.\n", 1],
    ["no block comments", "/** One. */\n/*\n * Two.\n\n */\nconst a = 1;\n", 1],
    ["code after the end of a block comment", "/* One\n*/ const a = 1;\n", 1],
    ["no comments of JSX", "<p>\n  {/* One. */}\n  {/*\n    Two.\n  */}\n</p>\n", 2],
    ["a string that looks like the end of a comment", 'const end = "*/";\n', 1],
    ["no comment that begins with a slash", "/*/ One.\nTwo. */\n", 0],
  ])("counts %s", (_name, text, lines) => {
    expect(countLines(text)).toBe(lines);
  });
});
