// Brightness of pixels, in the sizes in which marks are added and searched (luma.ts, normalise.ts).
#include "base.h"

enum { redWeight = 77, greenWeight = 150, blueWeight = 29 };

static u32 brightnessOf(const u8 *pixel, i32 channels) {
  u32 value = redWeight * pixel[0] + greenWeight * pixel[1] + blueWeight * pixel[2];
  if (channels == 3 || pixel[3] == 255) return value;
  // On white. The largest product still fits 32 bits.
  return (value * pixel[3] + 127) / 255 + 256 * (255 - pixel[3]);
}

// Sorts 48 bytes of 16 pixels by colour.
static void separate(const u8 *pixels, v128_t *red, v128_t *green, v128_t *blue) {
  v128_t a = wasm_v128_load(pixels), b = wasm_v128_load(pixels + 16), c = wasm_v128_load(pixels + 32);
  // Of each colour first what the first two vectors have (11, 11 and 10 bytes), then the rest.
  v128_t begin = wasm_i8x16_shuffle(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
  *red = wasm_i8x16_shuffle(begin, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
  begin = wasm_i8x16_shuffle(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
  *green = wasm_i8x16_shuffle(begin, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
  begin = wasm_i8x16_shuffle(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
  *blue = wasm_i8x16_shuffle(begin, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
}

#define WEIGHTED(half) \
  wasm_i16x8_add(wasm_i16x8_mul(wasm_u16x8_extend_##half##_u8x16(red), wasm_i16x8_splat(redWeight)), \
    wasm_i16x8_add(wasm_i16x8_mul(wasm_u16x8_extend_##half##_u8x16(green), wasm_i16x8_splat(greenWeight)), \
      wasm_i16x8_mul(wasm_u16x8_extend_##half##_u8x16(blue), wasm_i16x8_splat(blueWeight))))

// The brightness of each pixel, times 256.
static void measure(const u8 *pixels, i32 count, i32 channels, u16 *out) {
  i32 at = 0;
  if (channels == 3) {
    for (; at + 16 <= count; at += 16) {
      v128_t red, green, blue;
      separate(pixels + 3 * at, &red, &green, &blue);
      wasm_v128_store(out + at, WEIGHTED(low));
      wasm_v128_store(out + at + 8, WEIGHTED(high));
    }
  }
  for (; at < count; at++) out[at] = brightnessOf(pixels + channels * at, channels);
}

// The brightness of all pixels as floating-point numbers from 0 to 255. `line` has room for a row.
void EXPORT(brightness)(const u8 *pixels, i32 width, i32 height, i32 channels, u16 *line, f32 *out) {
  for (i32 y = 0; y < height; y++, pixels += width * channels, out += width) {
    measure(pixels, width, channels, line);
    for (i32 x = 0; x < width; x++) out[x] = line[x] * (1.0f / 256);
  }
}

// The mean brightness of cells: cell x has the columns from firstColumns[x] up to firstColumns[x + 1], of
// which each `step`-th is read; rows alike. `line` has room for a row of pixels.
void EXPORT(reduce)(const u8 *pixels, i32 width, i32 channels, i32 cellsAcross, i32 cellsDown,
    const i32 *firstColumns, const i32 *firstRows, i32 step, u16 *line, f32 *out) {
  for (i32 row = 0; row < cellsDown; row++, out += cellsAcross) {
    i32 rowsRead = 0;
    for (i32 x = 0; x < cellsAcross; x++) out[x] = 0;
    for (i32 y = firstRows[row]; y < firstRows[row + 1]; y += step, rowsRead++) {
      measure(pixels + y * width * channels, width, channels, line);
      for (i32 x = 0; x < cellsAcross; x++) {
        u32 sum = 0;
        i32 read = 0;
        for (i32 at = firstColumns[x]; at < firstColumns[x + 1]; at += step, read++) sum += line[at];
        out[x] += (f32)sum / read;
      }
    }
    for (i32 x = 0; x < cellsAcross; x++) out[x] /= 256 * rowsRead;
  }
}

// Resizes with the given weights for each column and row. Rows are mixed first, as whole vectors.
void EXPORT(resize)(const f32 *in, i32 width, i32 toWidth, i32 toHeight, i32 tapsAcross,
    const i32 *firstColumns, const f32 *columnWeights, i32 tapsDown, const i32 *firstRows,
    const f32 *rowWeights, f32 *mixed, f32 *out) {
  for (i32 y = 0; y < toHeight; y++, out += toWidth, rowWeights += tapsDown) {
    for (i32 x = 0; x < width; x++) mixed[x] = 0;
    for (i32 tap = 0; tap < tapsDown; tap++) {
      const f32 *line = in + (firstRows[y] + tap) * width, weight = rowWeights[tap];
      for (i32 x = 0; x < width; x++) mixed[x] += weight * line[x];
    }
    const f32 *weights = columnWeights;
    for (i32 x = 0; x < toWidth; x++, weights += tapsAcross) {
      const f32 *from = mixed + firstColumns[x];
      f32 sum = 0;
      for (i32 tap = 0; tap < tapsAcross; tap++) sum += weights[tap] * from[tap];
      out[x] = sum;
    }
  }
}

// The mean of the square around each value. Values are whole numbers, so that sums to which rows and
// columns are added and subtracted never drift. `sums` and `shares` have room for a row.
static void boxMean(const i32 *in, i32 width, i32 height, i32 radius, f32 unit, i32 *sums, f32 *shares,
    f32 *out) {
  for (i32 x = 0; x < width; x++) {
    shares[x] = unit / (least(width - 1, x + radius) - largest(0, x - radius) + 1);
    sums[x] = 0;
  }
  for (i32 y = 0; y < least(radius, height); y++) {
    for (i32 x = 0; x < width; x++) sums[x] += in[y * width + x];
  }
  for (i32 y = 0; y < height; y++, out += width) {
    if (y + radius < height) {
      const i32 *entering = in + (y + radius) * width;
      for (i32 x = 0; x < width; x++) sums[x] += entering[x];
    }
    if (y > radius) {
      const i32 *leaving = in + (y - radius - 1) * width;
      for (i32 x = 0; x < width; x++) sums[x] -= leaving[x];
    }
    f32 share = 1.0f / (least(height - 1, y + radius) - largest(0, y - radius) + 1);
    i32 sum = 0;
    for (i32 x = 0; x < least(radius, width); x++) sum += sums[x];
    for (i32 x = 0; x < width; x++) {
      if (x + radius < width) sum += sums[x + radius];
      if (x > radius) sum -= sums[x - radius - 1];
      out[x] = sum * (shares[x] * share);
    }
  }
}

// Brightness less its local mean, in units of its local deviation, in place; and the gain of each value.
// `whole` has room for the values, `rows` for two rows.
void EXPORT(normalise)(f32 *values, i32 width, i32 height, i32 radius, i32 contrastRadius, f32 flatDeviation,
    f32 limit, f32 *gains, i32 *whole, i32 *rows) {
  const f32 meanUnit = 256, squareUnit = 64;
  i32 count = width * height;
  f32 *shares = (f32 *)(rows + width);
  for (i32 at = 0; at < count; at++) whole[at] = (i32)(values[at] * meanUnit + 0.5f);
  boxMean(whole, width, height, radius, 1 / meanUnit, rows, shares, gains);
  for (i32 at = 0; at < count; at++) {
    f32 difference = values[at] - gains[at];
    values[at] = difference;
    whole[at] = (i32)(difference * difference * squareUnit + 0.5f);
  }
  boxMean(whole, width, height, contrastRadius, 1 / squareUnit, rows, shares, gains);
  for (i32 at = 0; at < count; at++) {
    f32 gain = 1 / (__builtin_sqrtf(gains[at]) + flatDeviation), value = values[at] * gain;
    gains[at] = gain;
    values[at] = value > limit ? limit : value < -limit ? -limit : value;
  }
}
