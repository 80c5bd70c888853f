/**
 * How often sequences of up to four UTF-8 bytes occur in each language. A sequence at the beginning of a
 * word differs from the same one within it or at its end.
 */
export interface NGrams {
  /** The sequences, see {@link nGramKey}; those of each position sorted. */
  readonly keys: Uint32Array;
  /** Where the keys of each position begin, and the number of keys at the end. */
  readonly firstKeys: Uint32Array;
  /** How many languages each sequence occurs in. */
  readonly counts: Uint8Array;
  /** Those languages, as indexes of `languageCodes`, sequence by sequence. */
  readonly languages: Uint8Array;
  /** The score of the sequence in each of them. */
  readonly scores: Uint8Array;
}

/** Positions of a sequence: a sum of these bits. */
export const wordBegin = 1;
export const wordEnd = 2;
export const positions = 4;

/** Up to four bytes as one number; bytes of text are never 0, so shorter sequences differ from longer ones. */
export function nGramKey(bytes: ArrayLike<number>, from: number, to: number): number {
  let key = 0;
  for (let at = from; at < to; at += 1) key = (key << 8) | (bytes[at] ?? 0);
  return key >>> 0;
}

const wordBytes = 4;

/** The contents of data/language-n-grams.bin, little-endian. */
export function encodeNGrams({ keys, firstKeys, counts, languages, scores }: NGrams): Buffer {
  const numbers = Uint32Array.of(...firstKeys, languages.length);
  return Buffer.concat([
    Buffer.from(numbers.buffer),
    Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength),
    counts,
    languages,
    scores,
  ]);
}

/**
 * The tables that {@link encodeNGrams} wrote.
 *
 * @throws Error for a file of another length.
 */
export function decodeNGrams(file: Buffer): NGrams {
  const headerLength = (positions + 2) * wordBytes;
  if (file.length < headerLength) throw new Error(wrongFile);
  const header = Array.from({ length: positions + 2 }, (_, at) =>
    file.readUInt32LE(at * wordBytes),
  );
  const keyCount = header[positions] ?? 0;
  const scoreCount = header[positions + 1] ?? 0;
  const countsAt = headerLength + keyCount * wordBytes;
  const languagesAt = countsAt + keyCount;
  const scoresAt = languagesAt + scoreCount;
  if (file.length !== scoresAt + scoreCount) throw new Error(wrongFile);
  return {
    firstKeys: Uint32Array.from(header.slice(0, positions + 1)),
    // A copy begins at a multiple of four bytes.
    keys: new Uint32Array(Uint8Array.from(file.subarray(headerLength, countsAt)).buffer),
    counts: file.subarray(countsAt, languagesAt),
    languages: file.subarray(languagesAt, scoresAt),
    scores: file.subarray(scoresAt),
  };
}

const wrongFile =
  "data/language-n-grams.bin does not fit the code. Run packages/moderation/generate/n-grams.ts.";
