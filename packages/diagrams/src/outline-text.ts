import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parse, type Font } from "opentype.js/dist/opentype.mjs";

/** Parts of Arimo, whose widths are those of Helvetica, with which Graphviz computes. */
const subsets = ["latin", "latin-ext", "greek", "cyrillic"];

let fonts: readonly Font[] | null = null;

/**
 * Replaces the texts of a sanitised SVG by their outlines, so that it looks the same everywhere. A
 * text with a character that the font does not have stays text.
 */
export function outlineText(svg: string): string {
  fonts ??= loadFonts();
  const known = fonts;
  return svg.replaceAll(
    /<text((?: [\w:-]+="[^"]*")*)>([^<]*)<\/text>/g,
    (whole, attributes: string, content: string) => {
      const value = (name: string) =>
        new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? null;
      const text = unescape(content);
      const size = Number(value("font-size") ?? 14);
      const runs = splitRuns(text, known);
      if (runs === null || !Number.isFinite(size)) return whole;
      const width = runs.reduce((sum, { font, run }) => sum + font.getAdvanceWidth(run, size), 0);
      const anchor = value("text-anchor") ?? "start";
      const shift = anchor === "middle" ? width / 2 : anchor === "end" ? width : 0;
      let x = Number(value("x") ?? 0) - shift;
      const y = Number(value("y") ?? 0);
      const paths = runs.map(({ font, run }) => {
        const path = font.getPath(run, x, y, size).toPathData(2);
        x += font.getAdvanceWidth(run, size);
        return path;
      });
      const fill = value("fill");
      const paint = fill === null ? "" : ` fill="${fill}"`;
      return `<path d="${paths.join("")}"${paint}><title>${content}</title></path>`;
    },
  );
}

function loadFonts(): readonly Font[] {
  const require = createRequire(import.meta.url);
  return subsets.map((subset) => {
    const file = require.resolve(`@fontsource/arimo/files/arimo-${subset}-400-normal.woff`);
    const bytes = readFileSync(file);
    return parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  });
}

/** Splits a text into runs of one font; null if no font has one of its characters. */
function splitRuns(
  text: string,
  known: readonly Font[],
): readonly { readonly font: Font; readonly run: string }[] | null {
  const runs: { font: Font; run: string }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const font =
      last !== undefined && last.font.charToGlyphIndex(character) > 0
        ? last.font
        : known.find((one) => one.charToGlyphIndex(character) > 0);
    if (font === undefined) return null;
    if (last?.font === font) last.run += character;
    else runs.push({ font, run: character });
  }
  return runs;
}

function unescape(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
