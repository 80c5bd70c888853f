/** Phrases as paths of keys; 0 is the root. */
export interface PhraseTrie {
  /** The branch after a key, or 0. */
  next(branch: number, key: number): number;
  /** The first phrase that ends at a branch; the others follow, up to `firstEnd(branch + 1)`. */
  firstEnd(branch: number): number;
  /** The vocabulary line of a phrase that {@link firstEnd} counts. */
  line(end: number): number;
}

export interface PhraseArrays {
  /** The first edge of each branch, and the number of edges at the end. */
  readonly firstEdges: Uint32Array;
  readonly edgeKeys: Uint32Array;
  readonly edgeTargets: Uint32Array;
  readonly firstEnds: Uint32Array;
  readonly lines: Uint32Array;
}

/** @param keyCount one more than the largest key. */
export function openPhraseTrie(arrays: PhraseArrays, keyCount: number): PhraseTrie {
  const { firstEdges, edgeKeys, edgeTargets, firstEnds, lines } = arrays;
  const fromRoot = new Uint32Array(keyCount);
  for (let edge = 0; edge < (firstEdges[1] ?? 0); edge += 1) {
    fromRoot[edgeKeys[edge] ?? 0] = edgeTargets[edge] ?? 0;
  }
  return {
    next(branch, key) {
      if (branch === 0) return fromRoot[key] ?? 0;
      let low = firstEdges[branch] ?? 0;
      const end = firstEdges[branch + 1] ?? 0;
      let high = end;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((edgeKeys[middle] ?? 0) < key) low = middle + 1;
        else high = middle;
      }
      return low < end && edgeKeys[low] === key ? (edgeTargets[low] ?? 0) : 0;
    },
    firstEnd: (branch) => firstEnds[branch] ?? 0,
    line: (end) => lines[end] ?? 0,
  };
}
