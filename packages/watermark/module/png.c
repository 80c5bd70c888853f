// Compresses pixels for a PNG (png.ts). A watermark is noise, in which a search for repetitions finds
// nothing: the stream has Huffman codes and runs of zeros only (deflate, RFC 1951; zlib, RFC 1950).
#include "base.h"

enum { noFilter, subFilter, upFilter, averageFilter, paethFilter };

static v128_t paethOf(v128_t left, v128_t up, v128_t corner) {
  v128_t across = wasm_i16x8_sub(up, corner), down = wasm_i16x8_sub(left, corner);
  v128_t toLeft = wasm_i16x8_abs(across), toUp = wasm_i16x8_abs(down);
  v128_t toCorner = wasm_i16x8_abs(wasm_i16x8_add(across, down));
  v128_t takesLeft = wasm_v128_and(wasm_i16x8_le(toLeft, toUp), wasm_i16x8_le(toLeft, toCorner));
  v128_t other = wasm_v128_bitselect(up, corner, wasm_i16x8_le(toUp, toCorner));
  return wasm_v128_bitselect(left, other, takesLeft);
}

static i32 distance(i32 value) { return value < 0 ? -value : value; }

// What a filter expects of one byte, by the bytes to its left, above, and above to the left.
static i32 expected(i32 filter, i32 left, i32 up, i32 corner) {
  if (filter == subFilter) return left;
  if (filter == upFilter) return up;
  if (filter == averageFilter) return (left + up) >> 1;
  i32 toLeft = distance(up - corner), toUp = distance(left - corner);
  i32 toCorner = distance(left + up - 2 * corner);
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

// Filters a row (PNG, third edition, section 9): the type, then the difference of each byte.
static void filterRow(i32 filter, const u8 *row, const u8 *above, i32 length, i32 channels, u8 *out) {
  *out++ = filter;
  i32 at = 0;
  for (; at < channels; at++) out[at] = row[at] - expected(filter, 0, above[at], 0);
  for (; at + 16 <= length; at += 16) {
    v128_t left = wasm_v128_load(row + at - channels), up = wasm_v128_load(above + at), guess = left;
    if (filter == upFilter) guess = up;
    if (filter == averageFilter) {
      // The instruction rounds up.
      v128_t odd = wasm_v128_and(wasm_v128_xor(left, up), wasm_i8x16_splat(1));
      guess = wasm_i8x16_sub(wasm_u8x16_avgr(left, up), odd);
    }
    if (filter == paethFilter) {
      v128_t corner = wasm_v128_load(above + at - channels);
#define HALF(half) paethOf(wasm_u16x8_extend_##half##_u8x16(left), wasm_u16x8_extend_##half##_u8x16(up), \
    wasm_u16x8_extend_##half##_u8x16(corner))
      guess = wasm_u8x16_narrow_i16x8(HALF(low), HALF(high));
    }
    wasm_v128_store(out + at, wasm_i8x16_sub(wasm_v128_load(row + at), guess));
  }
  for (; at < length; at++) {
    out[at] = row[at] - expected(filter, row[at - channels], above[at], above[at - channels]);
  }
}

// The sum of the differences' sizes: the usual estimate of how well a filter fits.
static u32 sizeOf(const u8 *differences, i32 length) {
  u32 sum = 0;
  for (i32 at = 0; at < length; at++) sum += distance((int8_t)differences[at]);
  return sum;
}

// The filter that fits every eighth row of a band best. The first row of an image is not asked: nothing
// is above it.
static i32 chooseFilter(const u8 *pixels, i32 first, i32 rows, i32 length, i32 channels, u8 *trial) {
  i32 best = subFilter;
  u32 leastSize = ~0u;
  for (i32 filter = subFilter; filter <= paethFilter; filter++) {
    u32 size = 0;
    for (i32 y = largest(first, 1); y < first + rows; y += 8) {
      filterRow(filter, pixels + y * length, pixels + (y - 1) * length, length, channels, trial);
      size += sizeOf(trial + 1, length);
    }
    if (size < leastSize) {
      leastSize = size;
      best = filter;
    }
  }
  return best;
}

static u32 total(v128_t sums) {
  return wasm_u32x4_extract_lane(sums, 0) + wasm_u32x4_extract_lane(sums, 1) +
    wasm_u32x4_extract_lane(sums, 2) + wasm_u32x4_extract_lane(sums, 3);
}

// Adler-32 (RFC 1950, section 8.2), continued from a state.
static u32 adler(u32 state, const u8 *bytes, i32 length) {
  enum { prime = 65521, longest = 5536 };
  const v128_t first = wasm_i16x8_make(16, 15, 14, 13, 12, 11, 10, 9);
  const v128_t second = wasm_i16x8_make(8, 7, 6, 5, 4, 3, 2, 1);
  u32 sum = state & 0xffff, sumOfSums = state >> 16;
  while (length > 0) {
    i32 part = least(length, longest), at = 0;
    v128_t sums = wasm_i32x4_splat(0), earlier = sums, weighted = sums;
    for (; at + 16 <= part; at += 16) {
      v128_t values = wasm_v128_load(bytes + at);
      earlier = wasm_i32x4_add(earlier, sums);
      sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(values)));
      weighted = wasm_i32x4_add(weighted, wasm_i32x4_add(
        wasm_i32x4_dot_i16x8(wasm_u16x8_extend_low_u8x16(values), first),
        wasm_i32x4_dot_i16x8(wasm_u16x8_extend_high_u8x16(values), second)));
    }
    sumOfSums += at * sum + 16 * total(earlier) + total(weighted);
    sum += total(sums);
    for (; at < part; at++) {
      sum += bytes[at];
      sumOfSums += sum;
    }
    sum %= prime;
    sumOfSums %= prime;
    bytes += part;
    length -= part;
  }
  return sumOfSums << 16 | sum;
}

// Literals, the end of a block, and lengths of repetitions (RFC 1951, section 3.2.5). No code is longer
// than 12 bits, so that four of them fit the bits that are held.
enum { symbolCount = 286, endOfBlock = 256, firstLength = 257, lengthCount = 29, longestCode = 12 };
enum { leastRepeated = 3, mostRepeated = 258 };

static const u16 lengthBases[lengthCount] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35,
  43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const u8 lengthBits[lengthCount] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4,
  4, 4, 4, 5, 5, 5, 5, 0};

static i32 lengthIndex(i32 length) {
  i32 index = lengthCount - 1;
  while (lengthBases[index] > length) index--;
  return index;
}

// Four counters of each symbol, added up later: neighbours often are equal, and would wait for each other.
static u32 counts[4][symbolCount];
static u8 codeLengths[symbolCount];
static u16 codes[symbolCount];

static void countZeros(i32 zeros) {
  counts[0][0]++;
  for (i32 left = zeros - 1; left > 0;) {
    if (left < leastRepeated) {
      counts[0][0] += left;
      return;
    }
    i32 repeated = least(left, mostRepeated);
    counts[0][firstLength + lengthIndex(repeated)]++;
    left -= repeated;
  }
}

// The number of zeros from here, if there are at least eight; otherwise 0.
static i32 zerosAt(const u8 *bytes, i32 at, i32 length) {
  if (*(const u64 *)(bytes + at) != 0) return 0;
  i32 end = at + 8;
  while (end < length && bytes[end] == 0) end++;
  return end - at;
}

static void countSymbols(const u8 *bytes, i32 length) {
  for (i32 table = 0; table < 4; table++) {
    for (i32 symbol = 0; symbol < symbolCount; symbol++) counts[table][symbol] = 0;
  }
  counts[0][endOfBlock] = 1;
  i32 at = 0;
  while (at + 8 <= length) {
    i32 zeros = zerosAt(bytes, at, length);
    if (zeros > 0) {
      countZeros(zeros);
      at += zeros;
      continue;
    }
    for (i32 part = 0; part < 8; part++) counts[part & 3][bytes[at + part]]++;
    at += 8;
  }
  for (; at < length; at++) counts[0][bytes[at]]++;
}

// The lengths of Huffman's codes (1952): the two rarest are joined until one is left. While a code is too
// long, all counts are halved. Returns whether all codes are short enough.
static i32 measureCodes(u32 *count, const u16 *order, i32 used) {
  u32 weights[2 * symbolCount];
  u16 parents[2 * symbolCount], depths[2 * symbolCount];
  i32 root = 2 * used - 2, leaf = 0, joined = used, isShort = 1;
  for (i32 at = 0; at < used; at++) weights[at] = count[order[at]];
  for (i32 next = used; next <= root; next++) {
    weights[next] = 0;
    for (i32 child = 0; child < 2; child++) {
      i32 takesLeaf = leaf < used && (joined >= next || weights[leaf] <= weights[joined]);
      i32 taken = takesLeaf ? leaf++ : joined++;
      weights[next] += weights[taken];
      parents[taken] = next;
    }
  }
  depths[root] = 0;
  for (i32 at = root - 1; at >= 0; at--) depths[at] = depths[parents[at]] + 1;
  for (i32 at = 0; at < used; at++) {
    codeLengths[order[at]] = depths[at];
    if (depths[at] > longestCode) isShort = 0;
  }
  return isShort;
}

// Section 3.2.2: codes of equal length are consecutive. Their bits are sent from the highest on.
static void numberCodes(void) {
  u32 next = 0;
  for (i32 length = 1; length <= longestCode; length++, next <<= 1) {
    for (i32 symbol = 0; symbol < symbolCount; symbol++) {
      if (codeLengths[symbol] != length) continue;
      u32 reversed = 0;
      for (i32 bit = 0; bit < length; bit++) reversed |= (next >> bit & 1) << (length - 1 - bit);
      codes[symbol] = reversed;
      next++;
    }
  }
}

static void makeCodes(void) {
  u16 order[symbolCount];
  u32 *count = counts[0];
  i32 used = 0;
  for (i32 symbol = 0; symbol < symbolCount; symbol++) {
    count[symbol] += counts[1][symbol] + counts[2][symbol] + counts[3][symbol];
    codeLengths[symbol] = 0;
    if (count[symbol] == 0) continue;
    i32 at = used++;
    for (; at > 0 && count[order[at - 1]] > count[symbol]; at--) order[at] = order[at - 1];
    order[at] = symbol;
  }
  while (!measureCodes(count, order, used)) {
    for (i32 at = 0; at < used; at++) count[order[at]] = (count[order[at]] + 1) >> 1;
  }
  numberCodes();
}

// Bits that are not yet written, the first in the lowest place.
static u64 bits;
static i32 held;
static u8 *target;

static inline void put(u32 value, i32 count) {
  bits |= (u64)value << held;
  held += count;
}
static inline void writeBytes(void) {
  *(u64 *)target = bits;
  target += held >> 3;
  bits >>= held & ~7;
  held &= 7;
}
static inline void putSymbol(i32 symbol) { put(codes[symbol], codeLengths[symbol]); }

static void putZeros(i32 zeros) {
  putSymbol(0);
  writeBytes();
  for (i32 left = zeros - 1; left > 0;) {
    i32 repeated = least(left, mostRepeated);
    if (left < leastRepeated) {
      repeated = 1;
      putSymbol(0);
    } else {
      i32 index = lengthIndex(repeated);
      putSymbol(firstLength + index);
      put(repeated - lengthBases[index], lengthBits[index]);
      // The only distance: one byte back.
      put(0, 1);
    }
    writeBytes();
    left -= repeated;
  }
}

// The head of a block with codes of its own (section 3.2.7): the length of each code in four bits.
static void putHead(i32 isLast) {
  enum { dynamic = 2, lengthCodes = 19 };
  put(isLast | dynamic << 1 | (symbolCount - firstLength) << 3 | (lengthCodes - 4) << 13, 17);
  writeBytes();
  // The codes for repeated lengths, which come first, are not used.
  for (i32 at = 0; at < lengthCodes; at++) {
    put(at < 3 ? 0 : 4, 3);
    writeBytes();
  }
  for (i32 at = 0; at <= symbolCount; at++) {
    // At last the length of the one code for a distance. The code of a length is the length itself.
    u32 length = at == symbolCount ? 1 : codeLengths[at];
    put((length & 1) << 3 | (length & 2) << 1 | (length & 4) >> 1 | length >> 3, 4);
    writeBytes();
  }
}

static void putSymbols(const u8 *bytes, i32 length) {
  i32 at = 0;
  while (at + 8 <= length) {
    i32 zeros = zerosAt(bytes, at, length);
    if (zeros > 0) {
      putZeros(zeros);
      at += zeros;
      continue;
    }
    for (i32 half = 0; half < 2; half++, at += 4) {
      for (i32 part = 0; part < 4; part++) putSymbol(bytes[at + part]);
      writeBytes();
    }
  }
  for (; at < length; at++) {
    putSymbol(bytes[at]);
    writeBytes();
  }
  putSymbol(endOfBlock);
  writeBytes();
}

// Writes the data of a PNG's IDAT chunk and returns its length. `lines` has room for a band of filtered
// rows and two more, each one byte longer than the pixels of a row.
i32 EXPORT(compress)(const u8 *pixels, i32 width, i32 height, i32 channels, i32 bandRows, u8 *lines, u8 *out) {
  i32 length = width * channels, lineLength = length + 1;
  u8 *blank = lines + bandRows * lineLength, *trial = blank + lineLength;
  for (i32 at = 0; at < lineLength; at++) blank[at] = 0;
  u32 check = 1;
  out[0] = 0x78;
  out[1] = 0x01;
  target = out + 2;
  bits = 0;
  held = 0;
  for (i32 first = 0; first < height; first += bandRows) {
    i32 rows = least(bandRows, height - first), filtered = rows * lineLength;
    i32 filter = chooseFilter(pixels, first, rows, length, channels, trial);
    for (i32 y = first; y < first + rows; y++) {
      const u8 *row = pixels + y * length;
      filterRow(filter, row, y == 0 ? blank : row - length, length, channels, lines + (y - first) * lineLength);
    }
    check = adler(check, lines, filtered);
    countSymbols(lines, filtered);
    makeCodes();
    putHead(first + rows == height);
    putSymbols(lines, filtered);
  }
  held = (held + 7) & ~7;
  writeBytes();
  for (i32 shift = 24; shift >= 0; shift -= 8) *target++ = check >> shift;
  return target - out;
}
