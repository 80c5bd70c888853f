import { positionAt } from "@atelier/kit";
import { DiagramError } from "./diagram-error.ts";
import type { Edge, Graph, Node, Shape } from "./graph.ts";

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
 * labels, chains, `&`, subgraphs and comments. Styles and `click` are ignored.
 *
 * @throws DiagramError with the position of the first statement that is not understood.
 */
export function parseMermaid(source: string): Graph {
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const groups: { label: string; nodes: string[] }[] = [];
  const open: { label: string; nodes: string[] }[] = [];
  let direction: Graph["direction"] = null;
  let hasHeader = false;

  let offset = 0;
  for (const raw of source.split("\n")) {
    const lineStart = offset;
    offset += raw.length + 1;
    for (const { text, start } of statementsOf(raw)) {
      const at = lineStart + start;
      if (!hasHeader) {
        direction = readHeader(text, source, at);
        hasHeader = true;
      } else if (/^subgraph\b/.test(text)) {
        const [, id = "", title] =
          /^subgraph\s+([^[\s]+)?\s*(?:\[\s*"?([^\]"]*)"?\s*\])?/.exec(text) ?? [];
        const group = {
          label: title ?? text.replace(/^subgraph\s*/, "").replaceAll('"', ""),
          nodes: [],
        };
        if (group.label === "") group.label = id;
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
    const cursor = { text, index: 0 };
    const fail = (message: string): never => {
      throw new DiagramError(message, positionAt(source, at + cursor.index));
    };
    let from = readNodes(cursor, fail);
    while (skipSpace(cursor)) {
      const link = readLink(cursor);
      if (link === null) fail(`Expected an arrow such as --> before "${rest(cursor)}".`);
      skipSpace(cursor);
      const to = readNodes(cursor, fail);
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
    const [id = ""] =
      /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.]|-(?![-.>]))*/u.exec(cursor.text.slice(cursor.index)) ?? [];
    if (id === "") fail(`Expected a node before "${rest(cursor)}".`);
    cursor.index += id.length;
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
    const [styled = ""] = /^:::[\w-]+/.exec(cursor.text.slice(cursor.index)) ?? [];
    cursor.index += styled.length;
    if (!nodes.has(id) || bracket !== undefined) nodes.set(id, { id, label, shape });
    const group = open.at(-1);
    if (group !== undefined && !groups.some((other) => other.nodes.includes(id)))
      group.nodes.push(id);
    return id;
  }
}

interface Cursor {
  readonly text: string;
  index: number;
}

function* statementsOf(line: string): Generator<{ text: string; start: number }> {
  const code = line.replace(/%%.*$/, "");
  for (const match of code.matchAll(/(?:"[^"]*"|[^;"])+/g)) {
    const text = match[0].trim();
    if (text !== "") yield { text, start: match.index + match[0].indexOf(text[0] ?? "") };
  }
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
  const ahead = cursor.text.slice(cursor.index);
  const labelled =
    /^<?(--|==|-\.)\s+("[^"]*"|[^|"<>=-][^|<>]*?)\s+(-{2,}>?|={2,}>?|\.+->?)/.exec(ahead) ?? null;
  if (labelled !== null) {
    const [whole, start = "", label = "", end = ""] = labelled;
    cursor.index += whole.length;
    return { label: unquote(label), line: lineOf(start), hasArrow: end.endsWith(">") };
  }
  const plain = /^<?(-{2,}|={2,}|-\.+-)([>xo])?/.exec(ahead);
  if (plain === null) return null;
  const [whole, start = "", head] = plain;
  cursor.index += whole.length;
  const [text = "", label = ""] = /^\s*\|([^|]*)\|/.exec(cursor.text.slice(cursor.index)) ?? [];
  cursor.index += text.length;
  return { label: unquote(label), line: lineOf(start), hasArrow: head !== undefined };
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
