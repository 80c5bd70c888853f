import { mix, shade, withChroma, withLightness } from "../colour.ts";
import type { Colour } from "../colour.ts";
import { box, oval, range, short, star } from "../geometry.ts";
import { groundFor } from "../ground.ts";
import { createRandom } from "../random.ts";
import type { Look } from "../look.ts";
import type { Scene } from "../scene.ts";
import type { Canvas } from "./canvas.ts";
import { drawFigure, extentOf } from "./figures.ts";

function signature(look: Look): Colour {
  if (look.figure === "animal") return look.colours[0] ?? "#e0a83c";
  return look.over?.colour ?? look.cape ?? look.top.colour;
}

/** Composes one figure on a plain ground whose colour matches the clothes. */
export function composePortrait(canvas: Canvas, scene: Scene, look: Look): string {
  const { pen, width, height, unit } = canvas;
  const random = createRandom(scene.seed).fork("portrait");
  const own = signature(look);
  const paper = mix(withLightness(withChroma(own, 0.45), 0.9), "#f6ead2", 0.45);
  const ring = mix(withLightness(withChroma(own, 0.6), 0.76), "#e8c98f", 0.35);
  const parts = [
    pen.fill(
      box(-4, -4, width + 8, height + 8),
      pen.linear([
        [0, paper],
        [1, shade(paper, -0.06)],
      ]),
    ),
  ];
  const full = scene.portrait === "full" || look.figure === "animal";
  const x = width / 2;
  const disc = unit * 0.4;
  const centre = height * 0.46;
  parts.push(
    pen.fill(oval(x, centre, disc), ring, 0.75),
    pen.line(oval(x, centre, disc * 1.09), shade(ring, -0.06), 3, 0.6),
  );
  const motifs = range(10).map((index) => {
    const angle = (index / 10) * Math.PI * 2 + random.between(-0.1, 0.1);
    const reach = disc * random.between(1.16, 1.32);
    return star(
      x + Math.cos(angle) * reach,
      centre + Math.sin(angle) * reach,
      random.between(5, 13),
      2.6,
      random.pick([4, 5, 6]),
    );
  });
  parts.push(pen.fill(motifs.join(""), shade(ring, 0.07), 0.9));
  const markup = drawFigure(pen, look, "stand", groundFor("summer", createRandom(1)));
  const extent = extentOf(look);
  if (full) {
    const tall =
      look.figure === "animal"
        ? Math.min(unit * 0.62, (width * 0.4) / extent.halfWidth)
        : height * 0.74;
    const foot = height * 0.94;
    parts.push(
      pen.light(
        oval(x, foot, tall * 0.26, tall * 0.036),
        pen.radial([
          [0, "#1c1830", 0.4],
          [1, "#1c1830", 0],
        ]),
      ),
      pen.place(markup, x, foot, tall / 100),
    );
  } else {
    // From the knees up, so that most of the clothes are visible.
    const scale = (height * 0.98) / 100;
    parts.push(pen.place(markup, x, height * 1.2, Math.min(scale, (width * 1.2) / 100)));
    parts.push(
      pen.light(
        `M-4 ${short(height + 4)}V${short(height * 0.86)}H${short(width + 4)}V${short(height + 4)}Z`,
        pen.linear([
          [0, "#1c1830", 0],
          [1, "#1c1830", 0.22],
        ]),
      ),
    );
  }
  return parts.join("");
}
