/** An opaque sRGB colour, `#rrggbb`. */
export type Colour = string;

interface Oklab {
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
}

const known = new Map<Colour, Oklab>();
const knownLimit = 4000;

function toLinear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  const clipped = Math.min(1, Math.max(0, value));
  const encoded = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255);
}

// Matrices: Björn Ottosson, "A perceptual color space for image processing" (2020).
function toOklab(colour: Colour): Oklab {
  const before = known.get(colour);
  if (before !== undefined) return before;
  const bits = Number.parseInt(colour.slice(1), 16);
  const red = toLinear((bits >> 16) & 255);
  const green = toLinear((bits >> 8) & 255);
  const blue = toLinear(bits & 255);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const oklab = {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
  if (known.size >= knownLimit) known.clear();
  known.set(colour, oklab);
  return oklab;
}

function fromOklab({ lightness, a, b }: Oklab): Colour {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0")}`;
}

/**
 * Mixes two colours in OKLab.
 *
 * @param share 0 returns `from`, 1 returns `to`.
 */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const start = toOklab(from);
  const end = toOklab(to);
  return fromOklab({
    lightness: start.lightness + (end.lightness - start.lightness) * share,
    a: start.a + (end.a - start.a) * share,
    b: start.b + (end.b - start.b) * share,
  });
}

/**
 * Lightens (positive) or darkens (negative) by a difference of OKLab lightness; shadows turn
 * slightly cooler.
 */
export function shade(colour: Colour, difference: number): Colour {
  const { lightness, a, b } = toOklab(colour);
  const target = Math.min(0.99, Math.max(0.06, lightness + difference));
  const cooling = difference < 0 ? difference * 0.06 : difference * 0.04;
  return fromOklab({ lightness: target, a: a * (1 - Math.abs(difference) * 0.3), b: b + cooling });
}

/** The same colour with its chroma multiplied: 0 is grey, 1 unchanged. */
export function withChroma(colour: Colour, factor: number): Colour {
  const { lightness, a, b } = toOklab(colour);
  return fromOklab({ lightness, a: a * factor, b: b * factor });
}

/** The same hue and chroma at another OKLab lightness (0 to 1). */
export function withLightness(colour: Colour, lightness: number): Colour {
  return fromOklab({ ...toOklab(colour), lightness });
}

/** OKLab lightness, 0 (black) to 1 (white). */
export function lightnessOf(colour: Colour): number {
  return toOklab(colour).lightness;
}

/** A colour from OKLCH: lightness 0 to 1, chroma 0 to about 0.3, hue in degrees. */
export function oklch(lightness: number, chroma: number, hueDegrees: number): Colour {
  const angle = (hueDegrees / 180) * Math.PI;
  return fromOklab({ lightness, a: Math.cos(angle) * chroma, b: Math.sin(angle) * chroma });
}

const dim = (channel: number, share: number): number => Math.round(Math.min(255, channel * share));

/** The colour under a coloured light: each channel times its share. */
export function underLight(
  colour: Colour,
  [red, green, blue]: readonly [number, number, number],
): Colour {
  const bits = Number.parseInt(colour.slice(1), 16);
  const mixed =
    (dim((bits >> 16) & 255, red) << 16) |
    (dim((bits >> 8) & 255, green) << 8) |
    dim(bits & 255, blue);
  return `#${mixed.toString(16).padStart(6, "0")}`;
}
