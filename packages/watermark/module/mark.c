// Adds the tile of a mark to pixels (add-tile.ts).
#include "base.h"

// Stretches rows to the width of an image: column x of the result lies `fractions[x]` beyond sample
// `columns[x]`. Each row is stretched once, however many rows of the image are mixed of it.
void EXPORT(stretch)(const f32 *in, i32 rows, i32 width, const i32 *columns, const f32 *fractions,
    i32 toWidth, f32 *out) {
  for (i32 row = 0; row < rows; row++, in += width, out += toWidth) {
    for (i32 x = 0; x < toWidth; x++) {
      const f32 *sample = in + columns[x];
      out[x] = sample[0] + (sample[1] - sample[0]) * fractions[x];
    }
  }
}

static v128_t mix(const f32 *upper, const f32 *lower, v128_t share) {
  v128_t from = wasm_v128_load(upper);
  return wasm_f32x4_add(from, wasm_f32x4_mul(wasm_f32x4_sub(wasm_v128_load(lower), from), share));
}

static v128_t rounded(v128_t values, v128_t share) {
  return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(values, share)));
}

// The changes of one colour in 16 pixels, as bytes.
static v128_t changesOf(const v128_t change[4], f32 share) {
  v128_t by = wasm_f32x4_splat(share);
  return wasm_i8x16_narrow_i16x8(
    wasm_i16x8_narrow_i32x4(rounded(change[0], by), rounded(change[1], by)),
    wasm_i16x8_narrow_i32x4(rounded(change[2], by), rounded(change[3], by)));
}

static void addClamped(u8 *target, v128_t change) {
  v128_t old = wasm_v128_load(target);
  v128_t low = wasm_i16x8_add(wasm_u16x8_extend_low_u8x16(old), wasm_i16x8_extend_low_i8x16(change));
  v128_t high = wasm_i16x8_add(wasm_u16x8_extend_high_u8x16(old), wasm_i16x8_extend_high_i8x16(change));
  wasm_v128_store(target, wasm_u8x16_narrow_i16x8(low, high));
}

// Changes one row of pixels by wave times strength. Wave and strength are mixed from the two stretched
// rows between which the row lies.
void EXPORT(add)(u8 *pixels, i32 width, i32 channels, const f32 *wave, const f32 *nextWave, f32 waveShare,
    const f32 *strength, const f32 *nextStrength, f32 strengthShare, f32 redShare, f32 greenShare,
    f32 blueShare) {
  i32 x = 0;
  if (channels == 3) {
    const v128_t waves = wasm_f32x4_splat(waveShare), strengths = wasm_f32x4_splat(strengthShare);
    for (; x + 16 <= width; x += 16) {
      v128_t change[4];
      for (i32 part = 0, at = x; part < 4; part++, at += 4) {
        change[part] = wasm_f32x4_mul(mix(wave + at, nextWave + at, waves),
          mix(strength + at, nextStrength + at, strengths));
      }
      v128_t red = changesOf(change, redShare), green = changesOf(change, greenShare);
      v128_t blue = changesOf(change, blueShare);
      // Back to the order of the pixels: red and green first, then blue between them.
      v128_t pairs = wasm_i8x16_shuffle(red, green, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
      addClamped(pixels + 3 * x,
        wasm_i8x16_shuffle(pairs, blue, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15));
      pairs = wasm_i8x16_shuffle(red, green, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
      addClamped(pixels + 3 * x + 16,
        wasm_i8x16_shuffle(pairs, blue, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15));
      pairs = wasm_i8x16_shuffle(red, green, 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
      addClamped(pixels + 3 * x + 32,
        wasm_i8x16_shuffle(pairs, blue, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31));
    }
  }
  const f32 shares[3] = {redShare, greenShare, blueShare};
  for (; x < width; x++) {
    u8 *pixel = pixels + channels * x;
    if (channels == 4 && pixel[3] == 0) continue;
    f32 change = (wave[x] + (nextWave[x] - wave[x]) * waveShare) *
      (strength[x] + (nextStrength[x] - strength[x]) * strengthShare);
    for (i32 colour = 0; colour < 3; colour++) {
      i32 value = pixel[colour] + (i32)__builtin_rintf(shares[colour] * change);
      pixel[colour] = least(255, largest(0, value));
    }
  }
}
