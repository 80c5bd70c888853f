import { positionAt } from "@atelier/kit";
import { DiagramError } from "./diagram-error.ts";
import { assertSize, type Edge, type Graph, type Node } from "./graph.ts";
import { readClause } from "./words/read-clause.ts";

/** An arrow between two things, in a text with one space between words. */
const arrow = / ?(?:→|⟶|➔|⇒|(?<!-)-+>|(?<!=)=+>|(?<!—)—+>|(?<!–)–+>) ?/u;

/** How a diagram in another language begins. */
const otherLanguages = {
  dot: /^\s*(?:strict\s+)?(?:di)?graph(?:\s+\w+)?\s*\{/i,
  mermaid: /^\s*(?:flowchart|graph)\s+(?:TB|TD|BT|RL|LR)\b/,
};

const numbers: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  zwei: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
};
const maxCount = 20;

/** Words before a name that it does not need. */
const article =
  /^(?:(?:then|dann)\s+)?(?:the|an?|its|their|our|my|each|every|all|this|these|der|die|das|de[nms]|eine?[nmrs]?|jede[rsnm]?|alle|diese[rsnm]?|(?:sein|ihr|mein|unser)e?[nmrs]?)\s+/iu;

/** A thing as the text names it. */
interface Named {
  readonly key: string;
  readonly label: string;
  readonly count: number;
}

/**
 * Reads a diagram in words: chains of arrows ("user → API → queue") and sentences of a noun phrase, a
 * verb and a noun phrase in English or German ("the queue feeds three workers"), separated by `;`, full
 * stops or line breaks. Things with the same name are the same node, whatever their article, case and
 * number; a counted thing becomes as many nodes. Takes linear time.
 *
 * @throws DiagramError for a sentence that is neither, and for a diagram in another language.
 */
export function parseWords(source: string): Graph {
  for (const [language, start] of Object.entries(otherLanguages)) {
    if (!start.test(source)) continue;
    throw new DiagramError(
      `The diagram is not in words. Send it as source with the language "${language}".`,
    );
  }
  const nodes = new Map<string, Node>();
  const members = new Map<string, readonly string[]>();
  const edges: Edge[] = [];

  function nodesOf(named: Named): readonly string[] {
    const known = members.get(named.key);
    if (known !== undefined) return known;
    const ids =
      named.count === 1
        ? [named.key]
        : Array.from({ length: named.count }, (_, index) => `${named.key} ${index + 1}`);
    for (const [index, id] of ids.entries()) {
      const label = named.count === 1 ? named.label : `${named.label} ${index + 1}`;
      nodes.set(id, { id, label, shape: "round" });
    }
    members.set(named.key, ids);
    return ids;
  }

  function connect(from: readonly Named[], to: readonly Named[], label: string): void {
    const [starts, ends] = [from.flatMap(nodesOf), to.flatMap(nodesOf)];
    assertSize(nodes.size, edges.length + starts.length * ends.length);
    for (const start of starts) {
      for (const end of ends) {
        edges.push({ from: start, to: end, label, line: "solid", hasArrow: true });
      }
    }
  }

  for (const { text, offset } of sentencesOf(source)) {
    const links = text.split(arrow);
    if (links.length > 1) {
      const steps = links.map((link) => readList(link));
      if (steps.some((step) => step.length === 0)) {
        throw new DiagramError(
          `"${cut(text)}" has an arrow without a name on both sides.`,
          positionAt(source, offset),
        );
      }
      for (const [index, step] of steps.slice(1).entries()) connect(steps[index] ?? [], step, "");
      continue;
    }
    const clause = readClause(text);
    const subjects = readList(clause?.subject ?? "");
    const objects = readList(clause?.object ?? "");
    if (clause === null || subjects.length === 0 || objects.length === 0) {
      throw new DiagramError(
        `"${cut(text)}" names no connection. Write it as "one → other" or "one feeds the other".`,
        positionAt(source, offset),
      );
    }
    connect(subjects, objects, clause.verb);
  }
  if (nodes.size === 0) throw new DiagramError("The diagram is empty.");
  return { direction: null, nodes: [...nodes.values()], edges, groups: [] };
}

function* sentencesOf(source: string): Generator<{ text: string; offset: number }> {
  for (const match of source.matchAll(/[^;\n]+/g)) {
    // A full stop ends a sentence before a space or the end; "v1.2" is a name.
    let offset = match.index;
    for (const part of match[0].split(/(?<=[.!?])(?=\s|$)/)) {
      const text = part
        .trim()
        .replace(/(?<![.!?])[.!?]+$/, "")
        .replaceAll(/\s+/g, " ");
      const start = offset + (part.length - part.trimStart().length);
      offset += part.length;
      if (text !== "") yield { text, offset: start };
    }
  }
}

/** Reads "the API and two workers": words with one space between them. */
function readList(text: string): Named[] {
  return text
    .split(/ ?, ?(?:(?:and|und) )?| (?:and|und|sowie) | & /iu)
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map(readName);
}

function readName(text: string): Named {
  const plain = text.replace(article, "").trim();
  const [first = "", ...rest] = plain.split(" ");
  const counted = rest.length === 0 ? undefined : (numbers[first.toLowerCase()] ?? Number(first));
  const count = counted !== undefined && counted >= 2 && counted <= maxCount ? counted : 1;
  const words = count === 1 ? plain : rest.join(" ");
  const label = count === 1 ? words : singular(words);
  return { key: singular(label.toLowerCase()), label, count };
}

/** English plurals only; a name that is not one stays as it is. */
function singular(words: string): string {
  if (/(?:ss|us|is)$/iu.test(words)) return words;
  if (/(?:ch|sh|x|ss|z)es$/iu.test(words)) return words.slice(0, -2);
  return words.replace(/([^aeiou])ies$/iu, "$1y").replace(/s$/iu, "");
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
