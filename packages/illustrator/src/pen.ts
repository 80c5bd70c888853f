import type { Colour } from "./colour.ts";
import { hashText } from "./random.ts";
import { short } from "./geometry.ts";
import type { Style } from "./styles.ts";

/** A gradient stop: offset (0 to 1), colour, opacity. */
type Stop = readonly [offset: number, colour: Colour, opacity?: number];

/** The paint of an area: a colour, or a gradient created by the pen. */
type Paint = Colour | { readonly url: string; readonly middle: Colour };

/**
 * Writes SVG elements in one style. All markup is created here from numbers and colours of the
 * program, so no client text can reach it.
 */
export interface Pen {
  readonly style: Style;
  /** Fills an area. Translucent areas (shading, shine) get no edge. */
  fill(path: string, paint: Paint, opacity?: number): string;
  /** Draws a line with round ends. */
  line(path: string, colour: Colour, width: number, opacity?: number): string;
  /** Fills an area of light: neither toned nor edged. */
  light(path: string, paint: Paint, opacity?: number): string;
  /**
   * Linear gradient from (x1, y1) to (x2, y2), as shares of the painted area's box; downwards by
   * default.
   */
  linear(stops: readonly Stop[], x1?: number, y1?: number, x2?: number, y2?: number): Paint;
  /** Radial gradient from the middle of the painted area's box outwards. */
  radial(stops: readonly Stop[]): Paint;
  /** Radial gradient of light, not toned. */
  glow(colour: Colour, opacity?: number): Paint;
  /** Moves, scales (uniformly if one number) and rotates markup (degrees). */
  place(
    markup: string,
    x: number,
    y: number,
    scaleX?: number,
    scaleY?: number,
    turn?: number,
  ): string;
  /** Clips markup to the path. */
  clip(path: string, markup: string): string;
  /** Returns a pen for a drawing with another edge width, in its own units. */
  withEdge(width: number): Pen;
  /** Returns a pen that transforms every colour before the style does. */
  withTone(tone: (colour: Colour) => Colour): Pen;
  /** Tints markup with a coloured light: the shares of red, green and blue that remain. */
  inLight(light: readonly [number, number, number], markup: string): string;
  /** The definitions that the markup written so far refers to. */
  definitions(): string;
}

/**
 * Creates a pen for a style.
 *
 * @param edgeWidth edge width in styles with edges.
 */
export function createPen(style: Style, edgeWidth = 2): Pen {
  return penWith(style, edgeWidth, new Map());
}

const stopMarkup = (stops: readonly Stop[], tone: (colour: Colour) => Colour): string =>
  stops
    .map(([offset, colour, opacity = 1]) => {
      const alpha = opacity === 1 ? "" : ` stop-opacity="${short(opacity)}"`;
      return `<stop offset="${short(offset)}" stop-color="${tone(colour)}"${alpha}/>`;
    })
    .join("");

const middleOf = (stops: readonly Stop[]): Colour =>
  (stops[Math.floor(stops.length / 2)] ?? stops[0])?.[1] ?? "#808080";

const paintOf = (paint: Paint, tone: (colour: Colour) => Colour): string =>
  typeof paint === "string" ? tone(paint) : paint.url;

const alphaOf = (name: string, opacity: number): string =>
  opacity >= 1 ? "" : ` ${name}="${short(opacity)}"`;

const untoned = (colour: Colour): Colour => colour;

function penWith(style: Style, edgeWidth: number, definitions: Map<string, string>): Pen {
  // Ids are hashes of the content, so that equal drawings are equal strings in every picture.
  const define = (content: (id: string) => string): string => {
    const id = `d${hashText(content("")).toString(36)}`;
    if (!definitions.has(id)) definitions.set(id, content(id));
    return id;
  };

  const edgeOf = (paint: Paint): string => {
    if (style.edge === null) return "";
    const base = typeof paint === "string" ? paint : paint.middle;
    const colour = style.edge.colour(style.tone(base));
    return ` stroke="${colour}" stroke-width="${short(style.edge.width * edgeWidth)}"${alphaOf("stroke-opacity", style.edge.opacity)}`;
  };

  const lightTone = style.tonesLight ? style.tone : untoned;
  return {
    style,
    fill: (path, paint, opacity = 1) =>
      `<path d="${path}" fill="${paintOf(paint, style.tone)}"` +
      `${alphaOf("fill-opacity", opacity * style.opacity)}${opacity < 1 ? "" : edgeOf(paint)}/>`,
    line: (path, colour, width, opacity = 1) =>
      `<path d="${path}" fill="none" stroke="${style.tone(colour)}" stroke-width="${short(width)}"` +
      `${alphaOf("stroke-opacity", opacity)} stroke-linecap="round" stroke-linejoin="round"/>`,
    light: (path, paint, opacity = 1) =>
      `<path d="${path}" fill="${paintOf(paint, lightTone)}"${alphaOf("fill-opacity", opacity)}/>`,
    linear: (stops, x1 = 0, y1 = 0, x2 = 0, y2 = 1) => {
      const id = define(
        (name) =>
          `<linearGradient id="${name}" x1="${short(x1)}" y1="${short(y1)}" x2="${short(x2)}" y2="${short(y2)}">${stopMarkup(stops, style.tone)}</linearGradient>`,
      );
      return { url: `url(#${id})`, middle: middleOf(stops) };
    },
    radial: (stops) => {
      const id = define(
        (name) => `<radialGradient id="${name}">${stopMarkup(stops, style.tone)}</radialGradient>`,
      );
      return { url: `url(#${id})`, middle: middleOf(stops) };
    },
    glow: (colour, opacity = 1) => {
      const stops: Stop[] = [
        [0, colour, opacity],
        [0.25, colour, opacity * 0.55],
        [0.6, colour, opacity * 0.14],
        [1, colour, 0],
      ];
      const id = define(
        (name) => `<radialGradient id="${name}">${stopMarkup(stops, lightTone)}</radialGradient>`,
      );
      return { url: `url(#${id})`, middle: colour };
    },
    place: (markup, x, y, scaleX = 1, scaleY = scaleX, turn = 0) => {
      const rotated = turn === 0 ? "" : ` rotate(${short(turn)})`;
      const scaled =
        scaleX === 1 && scaleY === 1 ? "" : ` scale(${scaleX.toFixed(4)} ${scaleY.toFixed(4)})`;
      return `<g transform="translate(${short(x)} ${short(y)})${rotated}${scaled}">${markup}</g>`;
    },
    clip: (path, markup) => {
      const id = define((name) => `<clipPath id="${name}"><path d="${path}"/></clipPath>`);
      return `<g clip-path="url(#${id})">${markup}</g>`;
    },
    withEdge: (width) => penWith(style, width, definitions),
    withTone: (tone) =>
      penWith({ ...style, tone: (colour) => style.tone(tone(colour)) }, edgeWidth, definitions),
    inLight: (light, markup) => {
      if (light.every((share) => share === 1)) return markup;
      const [red, green, blue] = light.map(short);
      const id = define(
        (name) =>
          `<filter id="${name}" x="-.05" y="-.05" width="1.1" height="1.1" color-interpolation-filters="sRGB"><feColorMatrix values="${red} 0 0 0 0 0 ${green} 0 0 0 0 0 ${blue} 0 0 0 0 0 1 0"/></filter>`,
      );
      return `<g filter="url(#${id})">${markup}</g>`;
    },
    definitions: () => [...definitions.values()].join(""),
  };
}
