import type { BookLayout } from "./book.ts";

/** Lengths of the pages of a book, in millimetres. */
export const mm = {
  width: 210,
  height: 210,
  /** Around what is on a page. */
  margin: 14,
  /** Between a picture and its text. */
  gap: 8,
  /** Around a text that is over a picture. */
  padding: 4,
  /** Beyond each edge of a page for print, which the print shop cuts off. */
  bleed: 3,
};

/** The part of the height that a text may take when there is a picture. */
const textPart = 0.4;
/** Beside a text, the part of the width that the picture takes. */
const picturePart = 0.56;

/** The size of a picture in pixels, or only its shape. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** A rectangle on a sheet, in millimetres. */
export interface Place extends Pixels {
  readonly x: number;
  readonly y: number;
}

/** A page of a book before its parts have their places. */
export interface Page {
  readonly picture: Pixels | null;
  readonly text: string;
  /** Possible sizes of the text in points; the largest one that leaves the picture its part of the page is used. */
  readonly sizes: readonly number[];
  readonly layout: BookLayout;
}

/** The places of the parts of a page. */
export interface PlacedPage {
  /** A picture with its text over it covers the sheet: what is beyond the edges of the sheet is not shown. */
  readonly picture: Place | null;
  /** Behind a text that is over a picture. */
  readonly panel: Place | null;
  /** Null for a page without a text. */
  readonly text: (Place & { readonly size: number; readonly align: "left" | "center" }) | null;
}

/** The height of a text in a size and a width, in millimetres. */
export type Measure = (text: string, size: number, width: number) => number;

/** Finds the places of the parts of a page on its sheet, which is larger by the bleed at each edge. */
export function placePage(page: Page, measure: Measure, bleed: number): PlacedPage {
  const { picture, text, sizes, layout } = page;
  const sheet = { width: mm.width + 2 * bleed, height: mm.height + 2 * bleed };
  const edge = bleed + mm.margin;
  const inner = { width: mm.width - 2 * mm.margin, height: mm.height - 2 * mm.margin };
  const align = "center" as const;
  const fit = (width: number, highest: number) =>
    fitTexts([text], sizes, { width, height: highest }, measure);
  const middle = (length: number, all: number) => (all - length) / 2;

  if (picture === null) {
    if (text === "") return { picture: null, panel: null, text: null };
    const fitted = fit(inner.width, inner.height);
    const y = middle(fitted.height, sheet.height);
    return { picture: null, panel: null, text: { x: edge, y, align, ...fitted } };
  }
  if (layout === "over") {
    const shown = cover(picture, sheet);
    const place = {
      ...shown,
      x: middle(shown.width, sheet.width),
      y: middle(shown.height, sheet.height),
    };
    if (text === "") return { picture: place, panel: null, text: null };
    const fitted = fit(inner.width - 2 * mm.padding, mm.height * textPart);
    const height = fitted.height + 2 * mm.padding;
    const panel = { x: edge, y: sheet.height - edge - height, width: inner.width, height };
    const start = { x: edge + mm.padding, y: panel.y + mm.padding };
    return { picture: place, panel, text: { ...start, align, ...fitted } };
  }
  if (layout === "beside" && text !== "") {
    const width = inner.width * picturePart;
    const shown = contain(picture, { width, height: inner.height });
    const x = edge + width + mm.gap;
    const fitted = fit(inner.width - width - mm.gap, inner.height);
    return {
      picture: {
        ...shown,
        x: edge + middle(shown.width, width),
        y: middle(shown.height, sheet.height),
      },
      panel: null,
      text: { x, y: middle(fitted.height, sheet.height), align: "left", ...fitted },
    };
  }
  const fitted = text === "" ? null : fit(inner.width, mm.height * textPart);
  const below = fitted === null ? 0 : fitted.height + mm.gap;
  const shown = contain(picture, { width: inner.width, height: inner.height - below });
  const y = middle(shown.height + below, sheet.height);
  return {
    picture: { ...shown, x: middle(shown.width, sheet.width), y },
    panel: null,
    text: fitted === null ? null : { x: edge, y: y + shown.height + mm.gap, align, ...fitted },
  };
}

/** A character of the page of the cast. */
interface PlacedMember {
  readonly picture: Place | null;
  readonly name: Place & { readonly size: number };
}

/** The largest portrait on the page of the cast, in millimetres: more would print it with less than 300 ppi. */
const portrait = { width: 60, height: 80 };
/** Between a portrait and its name. */
const nameGap = 2;

/** Finds the places of the heading, portraits and names of the page of the cast: rows of equal cells. */
export function placeCast(
  cast: {
    readonly title: string;
    readonly members: readonly { readonly name: string; readonly picture: Pixels | null }[];
  },
  sizes: { readonly title: readonly number[]; readonly names: readonly number[] },
  measure: Measure,
  bleed: number,
): {
  readonly title: Place & { readonly size: number };
  readonly members: readonly PlacedMember[];
} {
  const { title, members } = cast;
  const edge = bleed + mm.margin;
  const inner = { width: mm.width - 2 * mm.margin, height: mm.height - 2 * mm.margin };
  const columns = members.length <= 3 ? members.length : Math.ceil(members.length / 2);
  const rows = Math.ceil(members.length / columns);
  const cell = Math.min(portrait.width, (inner.width - mm.gap * (columns - 1)) / columns);
  const ofHead = { width: inner.width, height: inner.height / 5 };
  const head = fitTexts([title], sizes.title, ofHead, measure);
  const names = members.map(({ name }) => name);
  const label = fitTexts(names, sizes.names, { width: cell, height: inner.height / 8 }, measure);
  const free = (inner.height - head.height - rows * (mm.gap + nameGap + label.height)) / rows;
  const height = Math.min(portrait.height, free);
  const row = height + nameGap + label.height + mm.gap;
  const top = edge + (inner.height - head.height - rows * row) / 2;
  return {
    title: { x: edge, y: top, ...head },
    members: members.map(({ picture }, index) => {
      const line = Math.floor(index / columns);
      const inLine = Math.min(columns, members.length - line * columns);
      const start = (inner.width - inLine * cell - (inLine - 1) * mm.gap) / 2;
      const x = edge + start + (index % columns) * (cell + mm.gap);
      const y = top + head.height + mm.gap + line * row;
      const shown = picture === null ? null : contain(picture, { width: cell, height });
      return {
        picture:
          shown === null
            ? null
            : { ...shown, x: x + (cell - shown.width) / 2, y: y + height - shown.height },
        name: { x, y: y + height + nameGap, ...label },
      };
    }),
  };
}

/** The largest size at which all texts fit a space, with the width of the space and the height of the tallest text. */
function fitTexts(
  texts: readonly string[],
  sizes: readonly number[],
  space: Pixels,
  measure: Measure,
): Pixels & { readonly size: number } {
  const heightAt = (size: number) =>
    Math.max(...texts.map((text) => measure(text, size, space.width)));
  const size = sizes.find((one) => heightAt(one) <= space.height) ?? sizes.at(-1) ?? 9;
  return { size, width: space.width, height: Math.min(heightAt(size), space.height) };
}

/** The largest size of a picture within a space. */
function contain({ width, height }: Pixels, space: Pixels): Pixels {
  const scale = Math.min(space.width / width, space.height / height);
  return { width: width * scale, height: height * scale };
}

/** The smallest size of a picture that covers a space. */
function cover({ width, height }: Pixels, space: Pixels): Pixels {
  const scale = Math.max(space.width / width, space.height / height);
  return { width: width * scale, height: height * scale };
}

/** Pixels per inch of a printed picture. */
export const ppi = {
  /** A picture book is looked at from an arm's length: more is not seen in pictures without fine lines. */
  enough: 200,
  /** Print shops ask for it: more is not seen by the eye. */
  best: 300,
};

/** The resolution of a picture at its place, in pixels per inch. */
export const ppiAt = (picture: Pixels, place: Place): number =>
  (picture.width * 25.4) / place.width;
