// Fourier transforms (fft.ts, half-spectrum.ts), and the sum of all tiles of an image (add-tiles.ts).
#include "base.h"

// So many lines are transformed at once: one vector instruction does a step of four of them.
enum { lanes = 16 };

// Steps of the transform (J. Cooley, J. Tukey, 1965) of lines whose elements lie beside each other.
static void transformLanes(f32 *re, f32 *im, i32 size, const f32 *cosines, const f32 *sines, f32 direction) {
  for (i32 length = 2; length <= size; length *= 2) {
    i32 half = length / 2, stride = size / length;
    for (i32 at = 0; at < half; at++) {
      const v128_t c = wasm_f32x4_splat(cosines[at * stride]);
      const v128_t s = wasm_f32x4_splat(direction * sines[at * stride]);
      for (i32 block = at; block < size; block += length) {
        f32 *evenRe = re + block * lanes, *evenIm = im + block * lanes;
        f32 *oddRe = evenRe + half * lanes, *oddIm = evenIm + half * lanes;
        for (i32 lane = 0; lane < lanes; lane += 4) {
          v128_t a = wasm_v128_load(oddRe + lane), b = wasm_v128_load(oddIm + lane);
          v128_t turnedRe = wasm_f32x4_sub(wasm_f32x4_mul(a, c), wasm_f32x4_mul(b, s));
          v128_t turnedIm = wasm_f32x4_add(wasm_f32x4_mul(a, s), wasm_f32x4_mul(b, c));
          v128_t p = wasm_v128_load(evenRe + lane), q = wasm_v128_load(evenIm + lane);
          wasm_v128_store(oddRe + lane, wasm_f32x4_sub(p, turnedRe));
          wasm_v128_store(oddIm + lane, wasm_f32x4_sub(q, turnedIm));
          wasm_v128_store(evenRe + lane, wasm_f32x4_add(p, turnedRe));
          wasm_v128_store(evenIm + lane, wasm_f32x4_add(q, turnedIm));
        }
      }
    }
  }
}

// Transforms lines in place. `elements` and `between` are the distances of two elements of a line, and of
// two lines. `reversed` has the place of each element with its bits reversed; `scratch` has room for 32 lines.
void EXPORT(transform)(f32 *re, f32 *im, i32 size, i32 elements, i32 between, i32 lines, const f32 *cosines,
    const f32 *sines, const i32 *reversed, f32 direction, f32 *scratch) {
  f32 *laneRe = scratch, *laneIm = scratch + size * lanes;
  for (i32 first = 0; first < lines; first += lanes) {
    i32 count = least(lanes, lines - first);
    f32 *fromRe = re + first * between, *fromIm = im + first * between;
    for (i32 at = 0; at < size; at++) {
      i32 from = reversed[at] * elements;
      for (i32 lane = 0; lane < count; lane++) {
        laneRe[at * lanes + lane] = fromRe[from + lane * between];
        laneIm[at * lanes + lane] = fromIm[from + lane * between];
      }
    }
    transformLanes(laneRe, laneIm, size, cosines, sines, direction);
    for (i32 at = 0; at < size; at++) {
      for (i32 lane = 0; lane < count; lane++) {
        fromRe[at * elements + lane * between] = laneRe[at * lanes + lane];
        fromIm[at * elements + lane * between] = laneIm[at * lanes + lane];
      }
    }
  }
}

// Adds each pixel to the sample of the tile in which it lies; `samples` is a power of two. Positions begin far
// from zero, so that truncation rounds down.
void EXPORT(addTiles)(const f32 *values, i32 width, i32 height, double xx, double xy, double yx, double yy,
    i32 samples, f32 *tile) {
  const i32 last = samples - 1;
  const double offset = samples * 1024.0;
  for (i32 at = 0; at < samples * samples; at++) tile[at] = 0;
  for (i32 y = 0; y < height; y++, values += width) {
    double u = xy * samples * y + offset, v = yy * samples * y + offset;
    for (i32 x = 0; x < width; x++, u += xx * samples, v += yx * samples) {
      tile[((i32)v & last) * samples + ((i32)u & last)] += values[x];
    }
  }
}

// For each geometry (four numbers: the wave (x, y) is at column a·x + b·y and row c·x + d·y), the sum of the
// nearest powers of all waves. Columns x ≥ 0 of the power are kept; each has `size` rows, a power of two.
void EXPORT(sumPowers)(const f32 *power, i32 size, const f32 *geometries, i32 count, const f32 *wavesX,
    const f32 *wavesY, i32 waves, f32 *sums) {
  for (i32 index = 0; index < count; index++, geometries += 4) {
    f32 a = geometries[0], b = geometries[1], c = geometries[2], d = geometries[3], sum = 0;
    for (i32 wave = 0; wave < waves; wave++) {
      f32 x = a * wavesX[wave] + b * wavesY[wave], y = c * wavesX[wave] + d * wavesY[wave];
      if (x < 0) {
        x = -x;
        y = -y;
      }
      i32 column = (i32)(x + 0.5f), row = (i32)(y + size + 0.5f) & (size - 1);
      sum += power[column * size + row];
    }
    sums[index] = sum;
  }
}
