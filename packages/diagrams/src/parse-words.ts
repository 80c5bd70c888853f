import { positionAt } from "@atelier/kit";
import { DiagramError } from "./diagram-error.ts";
import type { Edge, Graph, Node } from "./graph.ts";

/** An arrow between two things. */
const arrow = /\s*(?:→|⟶|➔|⇒|-+>|=+>|—+>|–+>)\s*/u;

/** Verbs that connect a subject with its objects, in their third person, with a preposition. */
const verb =
  /\s+(?:(calls?|feeds?|reads?(?:\s+from)?|writes?(?:\s+to)?|sends?(?:\s+to)?|uses?|queries|query|stores?(?:\s+in)?|saves?(?:\s+to|\s+in)?|publishes(?:\s+to)?|notif(?:y|ies)|returns?(?:\s+to)?|depends?\s+on|points?\s+(?:to|at)|contains?|goes?\s+to|leads?\s+to|flows?\s+(?:to|into)|connects?\s+(?:to|with)|talks?\s+to|links?\s+to|triggers?|starts?|creates?|updates?|loads?|fills?|serves?|owns?|has|have|opens|visits|enters|asks?|fetch(?:es)?|gets?(?:\s+from)?|receives?(?:\s+from)?|pushes(?:\s+to)?|pulls?(?:\s+from)?|forwards(?:\s+to)?|passes(?:\s+to)?|redirects?\s+to|repl(?:y|ies)\s+to|responds?\s+to|listens?\s+to|subscribes?\s+to|deploys?\s+to|invokes?|validates|verifies|watches|shows|sees|produces|consumes))\s+/iu;

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
};
const maxCount = 20;

/** A thing as the text names it. */
interface Named {
  readonly key: string;
  readonly label: string;
  readonly count: number;
}

/**
 * Reads a diagram in words: chains of arrows ("user → API → queue") and sentences with a verb ("the
 * queue feeds three workers"), separated by `;`, full stops or line breaks. Things with the same
 * name are the same node, whatever their article, case and number; a counted thing becomes as many
 * nodes.
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
    for (const start of from.flatMap(nodesOf)) {
      for (const end of to.flatMap(nodesOf)) {
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
    const found = verb.exec(text);
    const subjects = found === null ? [] : readList(text.slice(0, found.index));
    const objects = found === null ? [] : readList(text.slice(found.index + found[0].length));
    if (found === null || subjects.length === 0 || objects.length === 0) {
      throw new DiagramError(
        `"${cut(text)}" names no connection. Write it as "one → other" or "one feeds the other".`,
        positionAt(source, offset),
      );
    }
    connect(subjects, objects, (found[1] ?? "").toLowerCase().replaceAll(/\s+/g, " "));
  }
  if (nodes.size === 0) throw new DiagramError("The diagram is empty.");
  return { direction: null, nodes: [...nodes.values()], edges, groups: [] };
}

function* sentencesOf(source: string): Generator<{ text: string; offset: number }> {
  for (const match of source.matchAll(/[^;\n]+/g)) {
    // A full stop ends a sentence before a space or the end; "v1.2" is a name.
    let offset = match.index;
    for (const part of match[0].split(/(?<=[.!?])(?=\s|$)/)) {
      const text = part.trim().replace(/[.!?]+$/, "");
      const start = offset + (part.length - part.trimStart().length);
      offset += part.length;
      if (text !== "") yield { text, offset: start };
    }
  }
}

/** Reads "the API and two workers". */
function readList(text: string): Named[] {
  return text
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s+&\s+/iu)
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map(readName);
}

function readName(text: string): Named {
  const plain = text.replace(/^(?:then\s+)?(?:the|a|an|its|their|our|my)\s+/iu, "").trim();
  const [first = "", ...rest] = plain.split(/\s+/);
  const counted = rest.length === 0 ? undefined : (numbers[first.toLowerCase()] ?? Number(first));
  const count = counted !== undefined && counted >= 2 && counted <= maxCount ? counted : 1;
  const words = count === 1 ? plain : rest.join(" ");
  const label = count === 1 ? words : singular(words);
  return { key: singular(label.toLowerCase()), label, count };
}

/** English plurals only; a name that is not one stays as it is. */
function singular(words: string): string {
  if (/(?:ss|us|is)$/iu.test(words)) return words;
  return words
    .replace(/([^aeiou])ies$/iu, "$1y")
    .replace(/(ch|sh|x|ss|z)es$/iu, "$1")
    .replace(/s$/iu, "");
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
