import { composeAbstract } from "./compose/abstract.ts";
import { composeOutdoors } from "./compose/outdoors.ts";
import type { Canvas } from "./compose/canvas.ts";
import { composePortrait } from "./compose/portrait.ts";
import { composeRoom } from "./compose/room.ts";
import { composeTabletop } from "./compose/tabletop.ts";
import { finish } from "./compose/finish.ts";
import { createPen } from "./pen.ts";
import type { PixelSize } from "./pixel-size.ts";
import { createRandom } from "./random.ts";
import { readRequest } from "./read-request.ts";
import type { ReferenceWords } from "./read-request.ts";
import type { Scene } from "./scene.ts";
import { svgDocument } from "./svg-document.ts";
import { styles } from "./styles.ts";

/**
 * Draws the scene of a prompt as SVG.
 *
 * @param view size in units (an area of 1024²).
 * @param size size in pixels; another resolution shows the same drawing, enlarged.
 */
export function illustrate(
  prompt: string,
  references: readonly ReferenceWords[],
  seed: number,
  view: PixelSize,
  size: PixelSize,
): string {
  const scene = readRequest(prompt, references, seed);
  const pen = createPen(styles[scene.style]);
  const { width, height } = view;
  const canvas: Canvas = { pen, width, height, unit: Math.min(1024, height * 1.2, width * 1.25) };
  const body = compose(canvas, scene);
  const finishing = finish(canvas, createRandom(scene.seed).fork("finish"));
  return svgDocument(view, size, pen.definitions(), body + finishing);
}

function compose(canvas: Canvas, scene: Scene): string {
  const [sitter] = scene.figures;
  if (scene.portrait !== null && sitter !== undefined)
    return composePortrait(canvas, scene, sitter.look);
  const { place } = scene;
  switch (place.kind) {
    case "room":
      return composeRoom(canvas, scene, place);
    case "abstract":
      return composeAbstract(canvas, scene, place);
    case "tabletop":
      return composeTabletop(canvas, scene);
    case "outdoors":
      return composeOutdoors(canvas, scene, place.land, place.town);
  }
}
