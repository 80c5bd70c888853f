/**
 * Polar codes with list decoding.
 *
 * - E. Arıkan, "Channel Polarization", IEEE Trans. Inf. Theory 55 (2009): encoding and successive
 *   cancellation.
 * - I. Tal, A. Vardy, "List Decoding of Polar Codes", IEEE Trans. Inf. Theory 61 (2015): several
 *   paths, and a CRC that chooses among them.
 * - P. Trifonov, "Efficient Design and Decoding of Polar Codes", IEEE Trans. Commun. 60 (2012):
 *   choice of the positions by Gaussian approximation.
 * - A. Balatsoukas-Stimming et al., "LLR-Based Successive Cancellation List Decoding", IEEE Trans.
 *   Signal Process. 63 (2015): path metrics from log-likelihood ratios.
 */
interface PolarCode {
  /** The code length is 2 to the power of this. */
  readonly levels: number;
  readonly length: number;
  /** Positions that carry information, ascending. The others are frozen to 0. */
  readonly positions: readonly number[];
}

/**
 * Chooses the most reliable positions of a code.
 *
 * @param designSnr signal-to-noise ratio (linear) of the channel that the code is made for.
 */
export function createPolarCode(levels: number, information: number, designSnr: number): PolarCode {
  let means = [4 * designSnr];
  for (let level = 0; level < levels; level++) {
    means = means.flatMap((mean) => [inversePhi(1 - (1 - phi(mean)) ** 2), 2 * mean]);
  }
  const positions = means
    .map((mean, position) => ({ mean, position }))
    .sort((one, other) => other.mean - one.mean || other.position - one.position)
    .slice(0, information)
    .map(({ position }) => position)
    .sort((one, other) => one - other);
  return { levels, length: 2 ** levels, positions };
}

/** Encodes as many information bits as the code has positions. */
export function encodePolar({ length, positions }: PolarCode, bits: Uint8Array): Uint8Array {
  const word = new Uint8Array(length);
  positions.forEach((position, index) => {
    word[position] = bits[index]!;
  });
  for (let half = length >> 1; half >= 1; half >>= 1) {
    for (let block = 0; block < length; block += 2 * half) {
      for (let at = block; at < block + half; at++) word[at]! ^= word[at + half]!;
    }
  }
  return word;
}

/**
 * Finds the most likely information bits that `accept` confirms, among the best `listSize` paths.
 *
 * @param likelihoods log-likelihood ratio of each code bit: positive for 0, negative for 1.
 * @returns null when no path is accepted.
 */
export function decodePolar(
  { levels, length, positions }: PolarCode,
  likelihoods: Float64Array,
  listSize: number,
  accept: (bits: Uint8Array) => boolean,
): Uint8Array | null {
  const isInformation = new Uint8Array(length);
  for (const position of positions) isInformation[position] = 1;

  const spare: Path[] = Array.from({ length: 2 * listSize }, () => createPath(levels));
  let paths: Path[] = [spare.pop()!];
  paths[0]!.ratios[0]!.set(likelihoods);
  for (const path of spare) path.ratios[0]!.set(likelihoods);

  for (let position = 0; position < length; position++) {
    for (const path of paths) updateRatios(path, position, levels);
    if (isInformation[position] === 0) {
      for (const path of paths) choose(path, position, 0, levels);
    } else {
      paths = split(paths, spare, listSize, position, levels);
    }
  }
  paths.sort((one, other) => one.metric - other.metric);
  for (const { word } of paths) {
    const bits = Uint8Array.from(positions, (position) => word[position]!);
    if (accept(bits)) return bits;
  }
  return null;
}

/** One hypothesis about the bits decided so far. */
interface Path {
  /** The sum of the log-likelihood ratios that it contradicts. */
  metric: number;
  /** By level, from the channel's to those of a single bit. */
  readonly ratios: readonly Float64Array[];
  /** By level, the re-encoded bits of the left and the right half. */
  readonly sums: readonly (readonly [Uint8Array, Uint8Array])[];
  readonly word: Uint8Array;
}

function createPath(levels: number): Path {
  const sizes = Array.from({ length: levels + 1 }, (_, level) => 2 ** (levels - level));
  return {
    metric: 0,
    ratios: sizes.map((size) => new Float64Array(size)),
    sums: sizes.map((size) => [new Uint8Array(size), new Uint8Array(size)] as const),
    word: new Uint8Array(2 ** levels),
  };
}

function copyPath(from: Path, to: Path): void {
  to.metric = from.metric;
  to.word.set(from.word);
  // The channel's ratios are the same for all paths.
  for (let level = 1; level < from.ratios.length; level++) {
    to.ratios[level]!.set(from.ratios[level]!);
    to.sums[level]![0].set(from.sums[level]![0]);
    to.sums[level]![1].set(from.sums[level]![1]);
  }
}

/** Recomputes the ratios of the levels whose half changes at this position. */
function updateRatios({ ratios, sums }: Path, position: number, levels: number): void {
  const unchanged = position === 0 ? 0 : levels - 1 - trailingZeros(position);
  for (let level = unchanged + 1; level <= levels; level++) {
    const above = ratios[level - 1]!;
    const own = ratios[level]!;
    const half = own.length;
    if (((position >> (levels - level)) & 1) === 0) {
      for (let at = 0; at < half; at++) own[at] = combine(above[at]!, above[at + half]!);
    } else {
      const left = sums[level]![0];
      for (let at = 0; at < half; at++) {
        own[at] = above[at + half]! + (left[at] === 0 ? above[at]! : -above[at]!);
      }
    }
  }
}

function combine(one: number, other: number): number {
  const size = Math.min(Math.abs(one), Math.abs(other));
  return one < 0 === other < 0 ? size : -size;
}

/** Continues every path with both values of a bit, and keeps the best. */
function split(
  paths: readonly Path[],
  spare: Path[],
  listSize: number,
  position: number,
  levels: number,
): Path[] {
  const branches = paths
    .flatMap((path) =>
      [0, 1].map((bit) => ({ path, bit, metric: path.metric + penalty(path, bit, levels) })),
    )
    .sort((one, other) => one.metric - other.metric);
  const kept = branches.slice(0, listSize);
  for (const path of paths) if (!kept.some((branch) => branch.path === path)) spare.push(path);
  // Copies first: a path that goes on both ways must not have changed when it is copied.
  const continued = kept.map(({ path, bit }, index) => {
    const isFirst = kept.findIndex((branch) => branch.path === path) === index;
    if (isFirst) return { path, bit };
    const copy = spare.pop()!;
    copyPath(path, copy);
    return { path: copy, bit };
  });
  for (const { path, bit } of continued) choose(path, position, bit, levels);
  return continued.map(({ path }) => path);
}

function penalty({ ratios }: Path, bit: number, levels: number): number {
  const ratio = ratios[levels]![0]!;
  return ratio < 0 === (bit === 1) ? 0 : Math.abs(ratio);
}

/** Decides a bit, and re-encodes the halves that are complete with it. */
function choose(path: Path, position: number, bit: number, levels: number): void {
  path.metric += penalty(path, bit, levels);
  path.word[position] = bit;
  path.sums[levels]![position & 1]![0] = bit;
  let index = position;
  for (let level = levels; level > 1 && (index & 1) === 1; level--) {
    const [left, right] = path.sums[level]!;
    index >>= 1;
    const whole = path.sums[level - 1]![index & 1]!;
    for (let at = 0; at < left.length; at++) {
      whole[at] = left[at]! ^ right[at]!;
      whole[at + left.length] = right[at]!;
    }
  }
}

function trailingZeros(value: number): number {
  return 31 - Math.clz32(value & -value);
}

/** Chung's approximation of 1 − E[tanh(x / 2)] for a Gaussian with this mean and twice the variance. */
function phi(mean: number): number {
  if (mean <= 0) return 1;
  return mean < 10
    ? Math.exp(-0.4527 * mean ** 0.86 + 0.0218)
    : Math.sqrt(Math.PI / mean) * Math.exp(-mean / 4) * (1 - 10 / (7 * mean));
}

function inversePhi(value: number): number {
  if (value >= 1) return 0;
  let [low, high] = [0, 2000];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (phi(middle) > value) low = middle;
    else high = middle;
  }
  return low;
}
