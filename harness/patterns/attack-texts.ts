import { RegExpParser, type AST } from "@eslint-community/regexpp";

/** A text that may take long: `start`, then `repeated` up to its length, then `end`. */
export interface Attack {
  readonly start: string;
  readonly repeated: string;
  readonly end: string;
}

/** Repetitions up to this number are not attacked: their time is bounded. */
const maxBound = 100;
const maxSamples = 12;
/** Ends at which most patterns fail. */
const ends = ["\0", "\n", "\n\0"];
/** Characters of common classes, beside those of the pattern. */
const commonCharacters = Array.from(" \t\n\raA0-_.,:/\"'éß漢\u2028");

/**
 * Derives texts from a pattern that make it try many ways to match: each unbounded repetition is fed
 * with the characters that it takes, behind its beginning, or beginning again and again.
 */
export function attackTexts(source: string, flags: string): Attack[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  const alphabet = alphabetOf(pattern, flags);
  const attacks = new Map<string, Attack>();
  const add = (attack: Attack) => attacks.set(JSON.stringify(attack), attack);
  for (const quantifier of nodesOf(pattern, isQuantifier)) {
    for (const start of startsOf(quantifier)) {
      for (const pump of samplesOf(quantifier.element)) {
        if (pump === "") continue;
        for (const end of ends) {
          add({ start, repeated: pump, end });
          add({ start: `\0${start}`, repeated: pump, end });
          add({ start: "", repeated: start + pump, end });
          add({ start: "", repeated: pump + start, end });
        }
      }
    }
  }
  return [...attacks.values()];

  /** Texts that match a node; the first is the shortest, with nothing optional. */
  function samplesOf(node: AST.Element | AST.Alternative): string[] {
    switch (node.type) {
      case "Alternative":
        return samplesOfSequence(node.elements);
      case "Group":
      case "CapturingGroup":
        return unique(node.alternatives.flatMap((one) => samplesOf(one).slice(0, 4)));
      case "Quantifier": {
        const one = samplesOf(node.element);
        const least = (one[0] ?? "").repeat(node.min);
        return unique([least, ...one.map((text) => text.repeat(Math.max(1, node.min)))]);
      }
      case "Character":
        return [String.fromCodePoint(node.value)];
      case "CharacterClass":
      case "CharacterSet":
      case "ExpressionCharacterClass": {
        const one = matcherOf(node, flags);
        return alphabet.filter((character) => one.test(character));
      }
      case "Assertion":
      case "Backreference":
        return [""];
    }
  }

  /** Samples in which one element at a time differs from the shortest one, and one with every part. */
  function samplesOfSequence(elements: readonly AST.Element[]): string[] {
    const each = elements.map((element) => samplesOf(element));
    const shortest = each.map(([first = ""]) => first);
    const changed = each.flatMap((samples, index) =>
      samples.slice(1).map((sample) => shortest.with(index, sample).join("")),
    );
    const longest = each.map((samples) => samples[1] ?? samples[0] ?? "").join("");
    return unique([shortest.join(""), longest, ...changed]);
  }

  /** Texts before a node: the shortest text, and one with every optional part. */
  function startsOf(node: AST.Node): string[] {
    const { parent } = node;
    if (parent === null) return [""];
    if (parent.type !== "Alternative") return startsOf(parent);
    const before = parent.elements.slice(0, parent.elements.indexOf(node as AST.Element));
    const own = samplesOfSequence(before).slice(0, 3);
    return unique(startsOf(parent).flatMap((start) => own.map((sample) => start + sample)));
  }
}

type CharacterNode =
  | AST.Character
  | AST.CharacterClass
  | AST.CharacterSet
  | AST.ExpressionCharacterClass;

/** All nodes of a type that a pattern has outside of classes. */
function nodesOf<Node extends AST.Node>(
  node: AST.Node,
  is: (one: AST.Node) => one is Node,
): Node[] {
  const own = is(node) ? [node] : [];
  if ("alternatives" in node && node.type !== "ClassStringDisjunction") {
    return [...own, ...node.alternatives.flatMap((one) => nodesOf(one, is))];
  }
  if (node.type === "Alternative")
    return [...own, ...node.elements.flatMap((one) => nodesOf(one, is))];
  if (node.type === "Quantifier") return [...own, ...nodesOf(node.element, is)];
  return own;
}

function isQuantifier(node: AST.Node): node is AST.Quantifier {
  return node.type === "Quantifier" && node.max > maxBound;
}

function isCharacter(node: AST.Node): node is CharacterNode {
  return ["Character", "CharacterClass", "CharacterSet", "ExpressionCharacterClass"].includes(
    node.type,
  );
}

function matcherOf({ raw }: CharacterNode, flags: string): RegExp {
  return new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gy]/g, ""));
}

/** Characters of a pattern and common ones: one of those that the same parts of the pattern match. */
function alphabetOf(pattern: AST.Pattern, flags: string): string[] {
  const matchers = [
    ...nodesOf(pattern, isCharacter).map((node) => matcherOf(node, flags)),
    /\w/,
    /\s/,
    /[\n\r\u2028]/,
  ];
  const characters = [...new Set([...commonCharacters, ...Array.from(pattern.raw)])];
  const bySignature = new Map(
    characters.toReversed().map((character) => {
      const signature = matchers.map((matcher) => (matcher.test(character) ? "1" : "0")).join("");
      return [signature, character];
    }),
  );
  return [...bySignature.values()];
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, maxSamples);
}
