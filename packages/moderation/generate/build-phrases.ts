/** A trie of phrases that is being built. */
export interface Branch {
  next?: Map<string, Branch>;
  /** Numbers of the vocabulary lines that end here. */
  lines: readonly number[];
  /** More than one path leads here: it is copied before it is changed. */
  isShared: boolean;
}

const none: readonly number[] = [];

export function createBranch(): Branch {
  return { lines: none, isShared: false };
}

/** The child that a key leads to, as one that may be changed. */
function ownChild(parent: Branch, key: string): Branch | undefined {
  const child = parent.next?.get(key);
  if (child === undefined || !child.isShared) return child;
  const copy: Branch = { lines: child.lines, isShared: false };
  if (child.next !== undefined) {
    copy.next = new Map(child.next);
    for (const grandchild of child.next.values()) grandchild.isShared = true;
  }
  parent.next?.set(key, copy);
  return copy;
}

/** The branch after a word, which is `fresh` where there was none. */
function step(parent: Branch, key: string, fresh: () => Branch): Branch {
  const known = ownChild(parent, key);
  if (known !== undefined) return known;
  const child = fresh();
  parent.next ??= new Map();
  parent.next.set(key, child);
  return child;
}

/**
 * Adds a phrase whose parts have alternatives: each part is a list of sequences of words. Branches
 * after a part are shared between its alternatives, so that a phrase takes the sum of their number
 * and not the product.
 */
export function addPhrase(
  root: Branch,
  parts: readonly (readonly (readonly string[])[])[],
  line: number,
): void {
  let frontier = new Set([root]);
  const joins: Branch[] = [];
  for (const alternatives of parts) {
    let join: Branch | undefined;
    const joined = (): Branch => (join ??= createBranch());
    const next = new Set<Branch>();
    for (const from of frontier) {
      for (const words of alternatives) {
        let branch = from;
        for (const [at, word] of words.entries()) {
          branch = step(branch, word, at === words.length - 1 ? joined : createBranch);
        }
        next.add(branch);
      }
    }
    if (join !== undefined) joins.push(join);
    frontier = next;
  }
  for (const branch of frontier) {
    if (branch !== root) branch.lines = [...branch.lines, line];
  }
  for (const join of joins) join.isShared = true;
}

interface BuiltPhraseTrie {
  readonly firstEdges: number[];
  readonly edgeKeys: number[];
  readonly edgeTargets: number[];
  readonly firstEnds: number[];
  readonly lines: number[];
}

/** The arrays of a trie for {@link openPhraseTrie}; `keyOf` numbers its words. */
export function flattenPhrases(root: Branch, keyOf: (word: string) => number): BuiltPhraseTrie {
  const built: BuiltPhraseTrie = {
    firstEdges: [],
    edgeKeys: [],
    edgeTargets: [],
    firstEnds: [],
    lines: [],
  };
  const numbers = new Map([[root, 0]]);
  // A map can grow while it is walked.
  for (const branch of numbers.keys()) {
    built.firstEdges.push(built.edgeKeys.length);
    built.firstEnds.push(built.lines.length);
    built.lines.push(...branch.lines);
    const edges = [...(branch.next ?? [])].map(([word, to]) => ({ key: keyOf(word), to }));
    for (const { key, to } of edges.sort((a, b) => a.key - b.key)) {
      const target = numbers.get(to) ?? numbers.size;
      numbers.set(to, target);
      built.edgeKeys.push(key);
      built.edgeTargets.push(target);
    }
  }
  built.firstEdges.push(built.edgeKeys.length);
  built.firstEnds.push(built.lines.length);
  return built;
}
