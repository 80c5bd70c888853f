import { createPen } from "../pen.ts";
import type { PixelSize } from "../pixel-size.ts";
import { createRandom, hashText } from "../random.ts";
import { readMentions } from "../read-words.ts";
import { styleOf } from "../read-request.ts";
import { styles } from "../styles.ts";
import { svgDocument } from "../svg-document.ts";
import { finish } from "../compose/finish.ts";
import { fold } from "../vocabulary/index.ts";
import { inksFor } from "./inks.ts";
import { girih } from "./girih.ts";
import { hexagons } from "./hexagons.ts";
import { memphis } from "./memphis.ts";
import { quilt } from "./quilt.ts";
import { rosettes } from "./rosettes.ts";
import { terrazzo } from "./terrazzo.ts";
import { truchet } from "./truchet.ts";
import { waves } from "./waves.ts";
import type { DrawOrnament } from "./draw-ornament.ts";

/** The ornament families and the words that select them. */
const families: readonly { readonly draw: DrawOrnament; readonly words: string }[] = [
  { draw: girih, words: "girih star stars islamic moorish arabesque tile tiles mosaic zellige" },
  { draw: waves, words: "wave waves sea ocean water seigaiha scallop ripple japanese" },
  { draw: truchet, words: "truchet maze labyrinth curves loop loops weave knot" },
  {
    draw: rosettes,
    words: "rosette rosettes mandala flower flowers floral bloom radial kaleidoscope",
  },
  { draw: memphis, words: "memphis eighties 80s pop confetti playful shapes retro party" },
  { draw: terrazzo, words: "terrazzo stone stones marble pebbles speckle chips" },
  {
    draw: quilt,
    words: "quilt triangles triangle geometric bauhaus patchwork scandinavian squares",
  },
  { draw: hexagons, words: "hexagon hexagons honeycomb cubes isometric cells bee" },
];

/**
 * Draws an ornament from the colours and words of a prompt as SVG; units and pixels as in
 * `illustrate`.
 */
export function ornament(prompt: string, seed: number, view: PixelSize, size: PixelSize): string {
  const text = fold(prompt.slice(0, 6000));
  const random = createRandom(
    hashText(`${seed}/pattern/${fold(prompt).replaceAll(/\s+/gu, " ").trim()}`),
  );
  const words = new Set(text.split(/[^\p{L}\p{N}]+/u));
  const asked = families.find((family) => family.words.split(" ").some((word) => words.has(word)));
  const { draw } = asked ?? random.fork("family").pick(families);
  const style = styleOf(readMentions(text)) ?? "storybook";
  const pen = createPen(styles[style], 1);
  const inks = inksFor(text, random.fork("inks"));
  const canvas = { pen, width: view.width, height: view.height, unit: 1024 };
  const body =
    draw(pen, inks, random.fork("draw"), view.width, view.height) +
    finish(canvas, random.fork("finish"));
  return svgDocument(view, size, pen.definitions(), body);
}
