import { mulberry32 } from "@atelier/kit";
import { fillFromHalf, halve, type Picture } from "./picture.ts";

/** Half the edge of the patches that are compared: 7 × 7 pixels. */
const radius = 3;
/** The shorter edge of the smallest picture of the pyramid. */
const smallestEdge = 14;
/** Rounds of matching and mixing at each size; fewer at the largest, which take the longest. */
const rounds = 4;
const roundsAtFullSize = 2;
const roundsAtSmallestSize = 12;
/** How much less a patch counts with each pixel that it is further in the hole: the rim is known, the middle is guessed. */
const decay = 1.3;
/** Searches of each round. */
const searches = 2;

/**
 * Fills the hole of a picture so that each patch of the result occurs elsewhere in it: from small to large,
 * each patch over the hole finds a similar one without a hole (PatchMatch: Barnes and others, 2009), and
 * each pixel becomes the mean of what the patches over it show (Wexler and others, 2004). Where no patch is without a
 * hole, the hole has the mean colours around it.
 *
 * Changes the picture in place, and the same picture always in the same way.
 */
export function fillHole(picture: Picture): void {
  const pyramid = [picture];
  for (let last = picture; Math.max(last.width, last.height) > 1;) {
    last = halve(last);
    pyramid.push(last);
  }
  let matches: Matches | null = null;
  for (const [index, level] of [...pyramid.entries()].toReversed()) {
    const half = pyramid[index + 1];
    if (half !== undefined) fillFromHalf(level, half);
    if (Math.min(level.width, level.height) < smallestEdge) continue;
    const sources = findSources(level);
    if (sources.length === 0) continue;
    const isSmallest = matches === null;
    matches = startMatches(level, sources, matches);
    const count = isSmallest ? roundsAtSmallestSize : index === 0 ? roundsAtFullSize : rounds;
    for (let round = 0; round < count; round += 1) {
      for (let search = 0; search < searches; search += 1) {
        improve(level, sources, matches, search % 2 === 1);
      }
      mix(level, matches);
    }
  }
}

/** For each pixel whose patch touches the hole: the centre of the patch that is most like it. */
interface Matches {
  readonly width: number;
  readonly height: number;
  /** The pixels whose patches touch the hole, from the top left. */
  readonly targets: Int32Array;
  /** For each pixel: the matching pixel, or -1. */
  readonly match: Int32Array;
  /** For each pixel: the squared difference of both patches. */
  readonly error: Float32Array;
  readonly random: () => number;
}

/** The centres of patches inside of the picture that do not touch the hole. */
function findSources({ width, height, hole }: Picture): Int32Array {
  const touched = touch({ width, height, hole });
  const found: number[] = [];
  for (let y = radius; y < height - radius; y += 1) {
    for (let x = radius; x < width - radius; x += 1) {
      if (touched[y * width + x] === 0) found.push(y * width + x);
    }
  }
  return Int32Array.from(found);
}

/** 1 for each pixel whose patch touches the hole. */
function touch({ width, height, hole }: Pick<Picture, "width" | "height" | "hole">): Uint8Array {
  const touched = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (hole[y * width + x] === 0) continue;
      const right = Math.min(width - 1, x + radius);
      for (let row = Math.max(0, y - radius); row <= Math.min(height - 1, y + radius); row += 1) {
        touched.fill(1, row * width + Math.max(0, x - radius), row * width + right + 1);
      }
    }
  }
  return touched;
}

/** Takes over the matches of a picture of half the size, or chooses them at random. */
function startMatches(picture: Picture, sources: Int32Array, half: Matches | null): Matches {
  const { width, height } = picture;
  const touched = touch(picture);
  const isSource = new Uint8Array(width * height);
  for (const source of sources) isSource[source] = 1;
  const found: number[] = [];
  for (const [at, value] of touched.entries()) if (value === 1) found.push(at);
  const targets = Int32Array.from(found);
  const match = new Int32Array(width * height).fill(-1);
  const error = new Float32Array(width * height);
  const random = mulberry32(width * height);
  for (const target of targets) {
    const known = half === null ? -1 : doubled(target, width, half);
    const isUsable = known >= 0 && isSource[known] === 1;
    match[target] = isUsable ? known : sources[Math.floor(random() * sources.length)]!;
  }
  return { width, height, targets, match, error, random };
}

function doubled(target: number, width: number, half: Matches): number {
  const [x, y] = [target % width, Math.floor(target / width)];
  const found = half.match[Math.floor(y / 2) * half.width + Math.floor(x / 2)] ?? -1;
  if (found < 0) return -1;
  const column = (found % half.width) * 2 + (x % 2);
  return column < width ? (Math.floor(found / half.width) * 2 + (y % 2)) * width + column : -1;
}

/**
 * Improves the matches: each pixel tries those of its neighbours, moved along, and random ones in a shrinking
 * circle around its own.
 */
function improve(
  picture: Picture,
  sources: Int32Array,
  { width, height, targets, match, error, random }: Matches,
  isBackward: boolean,
): void {
  const isSource = new Uint8Array(width * height);
  for (const source of sources) isSource[source] = 1;
  for (const target of targets) {
    error[target] = difference(picture, target, match[target]!, Number.POSITIVE_INFINITY);
  }
  const step = isBackward ? 1 : -1;
  const order = isBackward ? targets.toReversed() : targets;
  for (const target of order) {
    const attempt = (source: number) => {
      if (isSource[source] !== 1) return;
      const found = difference(picture, target, source, error[target]!);
      if (found >= error[target]!) return;
      error[target] = found;
      match[target] = source;
    };
    for (const beside of [target + step, target + step * width]) {
      const known = match[beside] ?? -1;
      if (known >= 0) attempt(known - (beside - target));
    }
    for (let reach = Math.max(width, height) / 2; reach >= 1; reach /= 2) {
      const from = match[target]!;
      const x = (from % width) + Math.round((random() * 2 - 1) * reach);
      const y = Math.floor(from / width) + Math.round((random() * 2 - 1) * reach);
      if (x >= 0 && x < width && y >= 0 && y < height) attempt(y * width + x);
    }
  }
}

/** The mean squared difference of two patches, as far as the first is inside of the picture; `limit` or more ends it. */
function difference(
  { width, height, channels }: Picture,
  target: number,
  source: number,
  limit: number,
): number {
  const [x, y] = [target % width, Math.floor(target / width)];
  const left = Math.max(-radius, -x);
  const right = Math.min(radius, width - 1 - x);
  const top = Math.max(-radius, -y);
  const bottom = Math.min(radius, height - 1 - y);
  const count = (right - left + 1) * (bottom - top + 1);
  const most = limit * count;
  let sum = 0;
  for (let row = top; row <= bottom; row += 1) {
    let one = (target + row * width + left) * 4;
    let other = (source + row * width + left) * 4;
    for (const end = (target + row * width + right) * 4 + 4; one < end; one += 1, other += 1) {
      const between = channels[one]! - channels[other]!;
      sum += between * between;
    }
    if (sum >= most) return Number.POSITIVE_INFINITY;
  }
  return sum / count;
}

/** How much each pixel counts: 1 outside of the hole, and less with each pixel that it is further in it. */
function trustIn({
  width,
  height,
  hole,
}: Pick<Picture, "width" | "height" | "hole">): Float32Array {
  const trust = Float32Array.from(hole, (value) => (value === 0 ? 1 : 0));
  const spread = (at: number, beside: number) => {
    trust[at] = Math.max(trust[at]!, (trust[beside] ?? 0) / decay);
  };
  for (let at = 0; at < trust.length; at += 1) {
    if (at % width > 0) spread(at, at - 1);
    spread(at, at - width);
  }
  for (let at = width * height - 1; at >= 0; at -= 1) {
    if (at % width < width - 1) spread(at, at + 1);
    spread(at, at + width);
  }
  return trust;
}

/** Gives each pixel of the hole the mean of what the matches of the patches over it show; better ones count more. */
function mix({ width, height, channels, hole }: Picture, { targets, match, error }: Matches): void {
  const sums = new Float32Array(width * height * 4);
  const weights = new Float32Array(width * height);
  const errors = targets.map((target) => error[target]!).toSorted();
  const trust = trustIn({ width, height, hole });
  const usual = Math.max(1, errors[Math.floor(errors.length * 0.75)] ?? 1);
  for (const target of targets) {
    const source = match[target]!;
    const weight = trust[target]! * Math.exp(-error[target]! / (2 * usual));
    const [x, y] = [target % width, Math.floor(target / width)];
    for (let row = Math.max(-radius, -y); row <= Math.min(radius, height - 1 - y); row += 1) {
      for (
        let column = Math.max(-radius, -x);
        column <= Math.min(radius, width - 1 - x);
        column += 1
      ) {
        const at = target + row * width + column;
        if (hole[at] === 0) continue;
        const from = source + row * width + column;
        weights[at]! += weight;
        for (let channel = 0; channel < 4; channel += 1) {
          sums[at * 4 + channel]! += weight * channels[from * 4 + channel]!;
        }
      }
    }
  }
  for (let at = 0; at < hole.length; at += 1) {
    if (hole[at] === 0 || weights[at] === 0) continue;
    for (let channel = 0; channel < 4; channel += 1) {
      channels[at * 4 + channel] = sums[at * 4 + channel]! / weights[at]!;
    }
  }
}
