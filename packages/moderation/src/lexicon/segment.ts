import { isEnding } from "./endings.ts";
import { entriesOf, type Lexicon, type WordEntry } from "./lexicon.ts";

interface Segment {
  readonly keys: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly isCore: boolean;
  readonly isFloor: boolean;
}

interface Segmentation {
  readonly parts: readonly Segment[];
  /** Letters that belong to no word. */
  readonly skipped: number;
}

const skipCost = 3;
const longestEnding = 3;
const shortestWord = 3;
const shortestStem = 4;

/** Whether a word of the legal floor may be among letters without spaces. */
export function hasFloorWord(letters: string, lexicon: Lexicon): boolean {
  const { words, entriesAt, leadsToFloor } = lexicon;
  for (let from = 0; from < letters.length; from += 1) {
    let node = 0;
    for (let at = from; at < letters.length; at += 1) {
      node = words.step(node, letters.charCodeAt(at));
      if (node === 0 || !leadsToFloor(node)) break;
      if (entriesAt(node).some(({ isFloor }) => isFloor)) return true;
    }
  }
  return false;
}

/**
 * Splits letters without spaces into words of the vocabulary; the fewest letters left over win, then
 * the fewest words. Linear in the number of letters.
 */
export function segment(letters: string, lexicon: Lexicon): Segmentation {
  const { words, entriesAt } = lexicon;
  const { length } = letters;
  // The cheapest way to read the letters up to each place: its cost, where its last word begins, and
  // that word, or none for a letter that is left over.
  const costs = [0];
  const starts = [0];
  const lastWords: (WordEntry | undefined)[] = [undefined];

  function offer(to: number, cost: number, from: number, entry: WordEntry | undefined): void {
    const known = costs[to];
    if (known !== undefined && known <= cost) return;
    costs[to] = cost;
    starts[to] = from;
    lastWords[to] = entry;
  }

  for (let from = 0; from < length; from += 1) {
    const before = costs[from] ?? 0;
    offer(from + 1, before + skipCost, from, undefined);
    let node = 0;
    for (let at = from; at < length; at += 1) {
      node = words.step(node, letters.charCodeAt(at));
      if (node === 0) break;
      for (const entry of entriesAt(node)) {
        const { open, language, stem, isCore, isFiller } = entry;
        if (stem < (open === "exact" ? shortestWord : shortestStem) && !isFiller) continue;
        const last = open === "exact" ? 0 : longestEnding;
        for (let extra = 0; extra <= last && at + extra < length; extra += 1) {
          const to = at + 1 + extra;
          if (extra > 0 && !isEnding(letters.slice(at + 1, to), language)) continue;
          offer(to, before + 1 - (isCore ? 0.5 : 0), from, entry);
        }
      }
    }
  }

  const parts: Segment[] = [];
  let skipped = 0;
  for (let to = length; to > 0; to = starts[to] ?? 0) {
    const entry = lastWords[to];
    if (entry === undefined) skipped += 1;
    else {
      const from = starts[to] ?? 0;
      const found = entriesOf(letters.slice(from, to), lexicon);
      parts.push({
        keys: found.map(({ key }) => key),
        from,
        to,
        isCore: found.some(({ isCore }) => isCore),
        isFloor: found.some(({ isFloor }) => isFloor),
      });
    }
  }
  return { parts: parts.toReversed(), skipped };
}
