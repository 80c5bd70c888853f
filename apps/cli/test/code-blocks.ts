/** A fenced code block with a language. */
interface CodeBlock {
  readonly language: string;
  /** The file to save the code in: `file=mira.yaml` after the language. */
  readonly file: string | null;
  /** The code continues the previous program: `continue` after the language. */
  readonly continues: boolean;
  readonly code: string;
  /** First line of the code, counted from 1. */
  readonly line: number;
}

/** Returns the code blocks of a Markdown page, in order. */
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
 * Returns a bash script that executes the code blocks of a page in order: it runs commands, writes
 * files, and runs TypeScript and JavaScript programs with Node. Blocks in other languages are
 * skipped; `console` marks commands that cannot run here. The script stops at the first failure and
 * reports its location.
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

/** Checks the types of a TypeScript program. */
function check(file: string): string[] {
  const options = "--noEmit --strict --target es2024 --module nodenext --types node --skipLibCheck";
  return file.endsWith(".ts") ? [`tsc ${options} --allowImportingTsExtensions ${file}`] : [];
}

function write(file: string, content: string): string {
  return `cat > ${file} <<'END_OF_THE_BLOCK'\n${content}END_OF_THE_BLOCK`;
}
