/**
 * Words letter by letter, as a few arrays. Nodes are numbered breadth first, with 0 as the root, so that
 * the children of a node are neighbours.
 */
export interface LetterTrie {
  /** The node after a UTF-16 code unit, or 0. */
  step(node: number, code: number): number;
  /** The children of a node are `firstChild(node)` up to `firstChild(node + 1)`, exclusive. */
  firstChild(node: number): number;
  /** The code unit that leads to a node. */
  code(node: number): number;
}

interface BuiltLetterTrie {
  /** The code unit that leads to each node. */
  readonly codes: readonly number[];
  /** The first child of each node, and the number of nodes at the end. */
  readonly firstChildren: readonly number[];
  /** The node of each word. */
  readonly nodes: ReadonlyMap<string, number>;
}

/** @param words without duplicates. */
export function buildLetterTrie(words: readonly string[]): BuiltLetterTrie {
  const codes = [0];
  const firstChildren: number[] = [];
  const nodes = new Map<string, number>();
  let level: { readonly node: number; readonly words: readonly string[] }[] = [
    { node: 0, words: words.toSorted() },
  ];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { node, words: below } of level) {
      firstChildren[node] = codes.length;
      for (const word of below) if (word.length === depth) nodes.set(word, node);
      const byCode = Map.groupBy(
        below.filter((word) => word.length > depth),
        (word) => word.charCodeAt(depth),
      );
      for (const [code, group] of [...byCode].sort(([a], [b]) => a - b)) {
        next.push({ node: codes.length, words: group });
        codes.push(code);
      }
    }
    level = next;
  }
  firstChildren.push(codes.length);
  return { codes, firstChildren, nodes };
}

/** A trie over the arrays of {@link buildLetterTrie}. */
export function openLetterTrie(codes: Uint32Array, firstChildren: Uint32Array): LetterTrie {
  // Most steps begin at the root, which has thousands of children.
  const fromRoot = new Uint16Array(0x10000);
  for (let child = firstChildren[0] ?? 0; child < (firstChildren[1] ?? 0); child += 1) {
    fromRoot[codes[child] ?? 0] = child;
  }
  return {
    step(node, code) {
      if (node === 0) return fromRoot[code] ?? 0;
      let low = firstChildren[node] ?? 0;
      const end = firstChildren[node + 1] ?? 0;
      let high = end;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((codes[middle] ?? 0) < code) low = middle + 1;
        else high = middle;
      }
      return low < end && codes[low] === code ? low : 0;
    },
    firstChild: (node) => firstChildren[node] ?? 0,
    code: (node) => codes[node] ?? 0,
  };
}
