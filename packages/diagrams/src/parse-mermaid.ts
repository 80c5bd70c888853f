import { positionAt } from "@atelier/kit";
import { DiagramError } from "./diagram-error.ts";
import { assertSize, type Edge, type Graph, type Node, type Shape } from "./graph.ts";

const directions = { TB: "down", TD: "down", BT: "up", LR: "right", RL: "left" } as const;

/** Opening and closing brackets of a node's label, the longest first, and its shape. */
const brackets: readonly (readonly [open: string, close: string, shape: Shape])[] = [
  ["(((", ")))", "circle"],
  ["((", "))", "circle"],
  ["([", "])", "round"],
  ["[(", ")]", "cylinder"],
  ["[[", "]]", "box"],
  ["{{", "}}", "hexagon"],
  ["[/", "/]", "box"],
  ["[\\", "\\]", "box"],
  [">", "]", "box"],
  ["(", ")", "round"],
  ["[", "]", "box"],
  ["{", "}", "diamond"],
];

/** Statements about looks and behaviour, which are ignored. */
const ignored = /^(?:classDef|class|style|linkStyle|click|direction|accTitle|accDescr)\b/;

/**
 * Reads a Mermaid flowchart (mermaid.js.org, "Flowcharts"): nodes with labels and shapes, edges with
 * labels, chains, `&`, subgraphs and comments. Styles and `click` are ignored. Takes linear time.
 *
 * @throws DiagramError with the position of the first statement that is not understood.
 */
export function parseMermaid(source: string): Graph {
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const groups: { label: string; nodes: string[] }[] = [];
  const open: { label: string; nodes: string[] }[] = [];
  const grouped = new Set<string>();
  let direction: Graph["direction"] = null;
  let hasHeader = false;

  let offset = 0;
  for (const line of source.split("\n")) {
    const lineStart = offset;
    offset += line.length + 1;
    for (const { text, start } of statementsOf(line)) {
      const at = lineStart + start;
      if (!hasHeader) {
        direction = readHeader(text, source, at);
        hasHeader = true;
      } else if (/^subgraph\b/.test(text)) {
        const group = { label: readGroupLabel(text), nodes: [] };
        groups.push(group);
        open.push(group);
      } else if (/^end$/.test(text)) {
        if (open.pop() === undefined) {
          throw new DiagramError('"end" without a subgraph.', positionAt(source, at));
        }
      } else if (!ignored.test(text)) {
        readStatement(text, at);
      }
    }
  }
  if (!hasHeader) throw new DiagramError("The diagram is empty.");
  if (open.length > 0)
    throw new DiagramError('A subgraph has no "end".', positionAt(source, source.length));
  if (nodes.size === 0) throw new DiagramError("The diagram has no nodes.");
  return { direction, nodes: [...nodes.values()], edges, groups };

  function readStatement(text: string, at: number): void {
    const cursor: Cursor = { text, index: 0, stop: null };
    const fail = (message: string): never => {
      throw new DiagramError(message, positionAt(source, at + cursor.index));
    };
    let from = readNodes(cursor, fail);
    while (skipSpace(cursor)) {
      const link = readLink(cursor);
      if (link === null) fail(`Expected an arrow such as --> before "${rest(cursor)}".`);
      skipSpace(cursor);
      const to = readNodes(cursor, fail);
      assertSize(nodes.size, edges.length + from.length * to.length);
      for (const start of from) {
        for (const end of to)
          edges.push({ ...(link as Omit<Edge, "from" | "to">), from: start, to: end });
      }
      from = to;
    }
  }

  function readNodes(cursor: Cursor, fail: (message: string) => never): string[] {
    const ids: string[] = [];
    do {
      skipSpace(cursor);
      ids.push(readNode(cursor, fail));
      skipSpace(cursor);
    } while (take(cursor, "&"));
    return ids;
  }

  function readNode(cursor: Cursor, fail: (message: string) => never): string {
    const [id = ""] = match(cursor, /[\p{L}\p{N}_](?:[\p{L}\p{N}_.]|-(?![-.>]))*/uy) ?? [];
    if (id === "") fail(`Expected a node before "${rest(cursor)}".`);
    const bracket = brackets.find(([start]) => cursor.text.startsWith(start, cursor.index));
    let label = id;
    let shape: Shape = "box";
    if (bracket !== undefined) {
      const [start, end, bracketShape] = bracket;
      const from = cursor.index + start.length;
      const isQuoted = cursor.text[from] === '"';
      const quoteEnd = isQuoted ? cursor.text.indexOf('"', from + 1) : from;
      const to = quoteEnd === -1 ? -1 : cursor.text.indexOf(end, quoteEnd);
      if (to === -1) fail(`The label of ${id} has no closing ${end}.`);
      label = cursor.text
        .slice(from, to)
        .trim()
        .replaceAll(/^"|"$/g, "")
        .replaceAll(/<br\s*\/?>/g, "\n");
      shape = bracketShape;
      cursor.index = to + end.length;
    }
    // A class: A:::name
    match(cursor, /:::[\w-]+/y);
    if (!nodes.has(id) || bracket !== undefined) nodes.set(id, { id, label, shape });
    const group = open.at(-1);
    if (group !== undefined && !grouped.has(id)) {
      group.nodes.push(id);
      grouped.add(id);
    }
    return id;
  }
}

interface Cursor {
  readonly text: string;
  index: number;
  /** The first place where the label of an arrow ends, found once for all arrows before it. */
  stop: { readonly index: number; readonly isArrow: boolean } | null;
}

/** Matches a sticky pattern at the cursor, and moves the cursor behind it. */
function match(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.index;
  const found = pattern.exec(cursor.text);
  cursor.index += found?.[0].length ?? 0;
  return found;
}

function* statementsOf(line: string): Generator<{ text: string; start: number }> {
  const code = withoutComment(line.endsWith("\r") ? line.slice(0, -1) : line);
  for (const { 0: part, index } of code.matchAll(/(?:"[^"]*"|[^;"])+/g)) {
    const text = part.trim();
    if (text !== "") yield { text, start: index + part.indexOf(text[0] ?? "") };
  }
}

/** Removes a comment: it starts at `%%` outside of quotes and of the brackets of labels. */
function withoutComment(line: string): string {
  const parts = line.matchAll(/"[^"]*"|\[[^[\]"]*\]|\([^()"]*\)|\{[^{}"]*\}|%%/g);
  for (const { 0: part, index } of parts) if (part === "%%") return line.slice(0, index);
  return line;
}

/** The title in brackets; else the id, or all words of the line. */
function readGroupLabel(text: string): string {
  const [, id = "", bracket] = /^subgraph\s+([^[\s]*)\s*(\[[^\]]*\])?/.exec(text) ?? [];
  const title = bracket?.slice(1, -1).trim();
  const label =
    title !== undefined && /^"?[^"]*"?$/.test(title)
      ? title
      : text.slice("subgraph".length).trimStart();
  return label.replaceAll('"', "") || id;
}

function readHeader(text: string, source: string, at: number): Graph["direction"] {
  const [found, , direction] = /^(flowchart|graph)(?:\s+(\w+))?$/.exec(text) ?? [];
  if (found === undefined) {
    throw new DiagramError(
      `Only flowcharts are drawn: start with "flowchart LR" or "flowchart TD".`,
      positionAt(source, at),
    );
  }
  if (direction === undefined) return null;
  if (Object.hasOwn(directions, direction)) return directions[direction as keyof typeof directions];
  throw new DiagramError(
    `"${direction}" is not a direction. Use TD, BT, LR or RL.`,
    positionAt(source, at + text.length - direction.length),
  );
}

/** Reads an arrow with or without a label: `-->`, `---`, `-.->`, `==>`, `-->|text|`, `-- text -->`. */
function readLink(cursor: Cursor): Omit<Edge, "from" | "to"> | null {
  const labelled = readLabelledLink(cursor);
  if (labelled !== null) return labelled;
  const plain = match(cursor, /<?(-{2,}|={2,}|-\.+-)([>xo])?/y);
  if (plain === null) return null;
  const [, start = "", head] = plain;
  const [, label = ""] = match(cursor, /\s*\|([^|]*)\|/y) ?? [];
  return { label: unquote(label), line: lineOf(start), hasArrow: head !== undefined };
}

/** Reads `-- text -->`; leaves the cursor where it is at another arrow. */
function readLabelledLink(cursor: Cursor): Omit<Edge, "from" | "to"> | null {
  const { index } = cursor;
  const start = match(cursor, /<?(--|==|-\.)\s+/y);
  const label = start && readLinkLabel(cursor);
  const end = start && match(cursor, /\s*(-{2,}>?|={2,}>?|\.+->?)/y);
  if (label === null || end === null) {
    cursor.index = index;
    return null;
  }
  return { label: unquote(label), line: lineOf(start?.[1] ?? ""), hasArrow: end[0].endsWith(">") };
}

/** Reads the text up to the second half of its arrow, which follows a space; quotes may contain anything. */
function readLinkLabel(cursor: Cursor): string {
  const quoted = match(cursor, /"[^"]*"(?=\s+(?:--|==|\.+-))/y);
  if (quoted !== null) return quoted[0];
  const { text, index } = cursor;
  if (cursor.stop === null || cursor.stop.index < index) {
    const stop = /[|<>]|\s(?:--|==|\.+-)/g;
    stop.lastIndex = index;
    const found = stop.exec(text);
    cursor.stop = { index: found?.index ?? text.length, isArrow: (found?.[0].length ?? 0) > 1 };
  }
  if (!cursor.stop.isArrow) return "";
  cursor.index = cursor.stop.index;
  return text.slice(index, cursor.index);
}

function lineOf(start: string): Edge["line"] {
  if (start.startsWith("=")) return "bold";
  return start.includes(".") ? "dashed" : "solid";
}

function unquote(text: string): string {
  return text.trim().replaceAll(/^"|"$/g, "");
}

/** Skips spaces; false at the end of the statement. */
function skipSpace(cursor: Cursor): boolean {
  while (/\s/.test(cursor.text[cursor.index] ?? "")) cursor.index += 1;
  return cursor.index < cursor.text.length;
}

function take(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.index)) return false;
  cursor.index += text.length;
  return true;
}

function rest({ index, text }: Cursor): string {
  const ahead = text.slice(index, index + 20);
  return ahead === "" ? "the end of the line" : ahead;
}
