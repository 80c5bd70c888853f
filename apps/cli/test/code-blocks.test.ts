import { describe, expect, it } from "vitest";
import { readCodeBlocks, toScript } from "./code-blocks.ts";

const page = `# A page

\`\`\`sh
echo one
\`\`\`

\`\`\`yaml file=a.yaml
a: 1
\`\`\`

\`\`\`ts
const a = 1;
\`\`\`

\`\`\`ts continue
console.log(a);
\`\`\`

\`\`\`console
sleep infinity
\`\`\`

\`\`\`json
{}
\`\`\`
`;

describe("the code blocks of a page", () => {
  it("are found with their info strings and line numbers", () => {
    const blocks = readCodeBlocks(page);
    expect(blocks.map(({ language, line }) => `${language} ${line}`)).toEqual([
      "sh 4",
      "yaml 8",
      "ts 12",
      "ts 16",
      "console 20",
      "json 24",
    ]);
    expect(blocks[1]).toMatchObject({ file: "a.yaml", code: "a: 1\n" });
    expect(blocks[3]).toMatchObject({ continues: true });
  });

  it("become one script of commands, files, and programs with their continuations", () => {
    const script = toScript("docs/page.md", readCodeBlocks(page));
    expect(script).toContain("\nline=4\necho one\n");
    expect(script).toContain("cat > a.yaml <<'END_OF_THE_BLOCK'\na: 1\nEND_OF_THE_BLOCK\n");
    expect(script).toContain("const a = 1;\n\nconsole.log(a);\nEND_OF_THE_BLOCK\ntsc ");
    expect(script).toContain("program-12.ts\nnode program-12.ts");
    expect(script).not.toContain("infinity");
    expect(script).not.toContain("{}");
  });
});
