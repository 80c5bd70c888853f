/** A fenced block of a page that says what language it is in. */
export interface CodeBlock {
  readonly language: string;
  /** Where its code is to be saved: `file=mira.yaml` beside the language. */
  readonly file: string | null;
  /** It goes on where the program before it ended: `continue` beside the language. */
  readonly continues: boolean;
  readonly code: string;
  /** Where its code begins, counted from 1. */
  readonly line: number;
}

/** The code blocks of a page in Markdown, in their order. */
export function readCodeBlocks(markdown: string): CodeBlock[] {
  const fences = markdown.matchAll(/^([ ]{0,3})```(\w+)([^\n]*)\n([\s\S]*?)^ {0,3}```$/gm);
  return [...fences].map(
    ({ index, 1: indent = "", 2: language = "", 3: info = "", 4: code = "" }) => ({
      language,
      file: /\bfile=(\S+)/.exec(info)?.[1] ?? null,
      continues: /\bcontinue\b/.test(info),
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: markdown.slice(0, index).split("\n").length + 1,
    }),
  );
}

/**
 * A bash script that does what a page says, block after block: commands are run, files written, and
 * programs in TypeScript or JavaScript run by Node. Other languages are for readers only, `console`
 * for commands that cannot be run here. It ends at the first failure, and says where.
 */
export function toScript(page: string, blocks: readonly CodeBlock[]): string {
  const steps = blocks.flatMap(toStep);
  return [
    "set -euo pipefail",
    "line=0",
    `trap 'echo "this failed: ${page}, the block at line $line" >&2' ERR`,
    ...steps,
  ].join("\n");
}

function toStep(block: CodeBlock, index: number, blocks: readonly CodeBlock[]): string[] {
  const { language, file, code, line, continues } = block;
  const begin = `line=${line}`;
  if (file !== null) return [begin, write(file, code), ...check(file)];
  if (language === "sh") return [begin, code];
  if ((language !== "ts" && language !== "js") || continues) return [];
  const rest = blocks.slice(index + 1).filter((other) => other.language === language);
  const end = rest.findIndex((other) => !other.continues);
  const program = [block, ...(end === -1 ? rest : rest.slice(0, end))];
  const name = `program-${line}.${language}`;
  return [
    begin,
    write(name, program.map((part) => part.code).join("\n")),
    ...check(name),
    `node ${name}`,
  ];
}

/** A program in TypeScript is held to the types of what it uses. */
function check(file: string): string[] {
  const options = "--noEmit --strict --target es2024 --module nodenext --types node --skipLibCheck";
  return file.endsWith(".ts") ? [`tsc ${options} --allowImportingTsExtensions ${file}`] : [];
}

function write(file: string, content: string): string {
  return `cat > ${file} <<'END_OF_THE_BLOCK'\n${content}END_OF_THE_BLOCK`;
}
