import type { Brush } from "../draw/brush.ts";
import { anchorsOf } from "../draw/quadruped-build.ts";
import { builds } from "../draw/builds.ts";
import { drawHatFor } from "../draw/person/hats.ts";
import { drawPerson, statureOf } from "../draw/person/person.ts";
import type { Pose } from "../draw/person/limbs.ts";
import { shade } from "../colour.ts";
import { short } from "../geometry.ts";
import type { AnimalLook, Look } from "../look.ts";
import type { Ground } from "../ground.ts";
import type { Pen } from "../pen.ts";
import { createRandom } from "../random.ts";
import { subjects } from "../subjects.ts";

/** Edge width of people in styles with edges, in the person's own units. */
const personEdge = 0.45;

/** Height relative to an adult of 1, and half width relative to the height. */
export function extentOf(look: Look): { height: number; halfWidth: number } {
  if (look.figure !== "animal") return { height: statureOf(look), halfWidth: 0.2 };
  const subject = subjects[look.kind];
  const height = ((subject?.size ?? 0.2) / 0.34) * look.size;
  // A character must be visible: even a mouse is a third of a person.
  return {
    height: Math.max(0.34, Math.min(1.25, height)),
    halfWidth: (subject?.halfWidth ?? 50) / 100,
  };
}

/**
 * Draws a person or animal character, 100 units high with its feet at (0, 0). The same look and
 * pose give the same markup in every picture of a style.
 */
export function drawFigure(pen: Pen, look: Look, pose: Pose, ground: Ground): string {
  return look.figure === "animal"
    ? drawAnimalCharacter(pen.withEdge(1), look, ground)
    : drawPerson(pen.withEdge(personEdge), look, pose);
}

function drawAnimalCharacter(pen: Pen, look: AnimalLook, ground: Ground): string {
  const subject = subjects[look.kind];
  if (subject === undefined) return "";
  const brush: Brush = {
    pen,
    random: createRandom(look.seed),
    ground: { ...ground, snowy: false },
    lit: false,
    colours: look.colours,
    parts: new Map(),
  };
  const body = subject.draw(brush);
  const build = builds[look.kind];
  const sitting: Readonly<
    Record<
      string,
      { head: readonly [number, number]; neck: readonly [number, number]; scale: number }
    >
  > = {
    cat: { head: [0, -95], neck: [0, -54], scale: 1.5 },
    rabbit: { head: [12, -70], neck: [8, -44], scale: 1.1 },
    panda: { head: [0, -102], neck: [0, -48], scale: 1.9 },
    monkey: { head: [0, -96], neck: [0, -50], scale: 1.5 },
    owl: { head: [0, -92], neck: [0, -56], scale: 1.6 },
    penguin: { head: [0, -99], neck: [0, -66], scale: 1.5 },
    squirrel: { head: [13, -76], neck: [8, -49], scale: 0.9 },
    bird: { head: [32, -97], neck: [30, -60], scale: 1.5 },
    mouse: { head: [30, -62], neck: [30, -30], scale: 1.6 },
    frog: { head: [0, -76], neck: [0, -44], scale: 2.4 },
    dragon: { head: [38, -104], neck: [34, -70], scale: 1 },
    duck: { head: [40, -90], neck: [37, -58], scale: 0.9 },
    bear: { head: [40, -94], neck: [36, -66], scale: 1.2 },
  };
  const anchors =
    build === undefined
      ? sitting[look.kind]
      : { ...anchorsOf(build), scale: build.headWidth[0] / 17 };
  if (anchors === undefined) return body;
  const parts = [body];
  if (look.scarf !== null) {
    const [x, y] = anchors.neck;
    const turn = build === undefined ? 0 : 24;
    const wide = build === undefined ? 15 * anchors.scale : build.neckWidth[0] * 0.56 + 3;
    const scarf =
      pen.fill(
        `M${short(-wide * 0.1)} 3L${short(wide * 0.34)} 3L${short(wide * 0.5)} ${short(wide * 1.25)}L${short(-wide * 0.02)} ${short(wide * 1.3)}Z`,
        shade(look.scarf, -0.05),
      ) +
      pen.fill(
        `M${short(-wide)} -4Q0 ${short(wide * 0.24)} ${short(wide)} -4Q${short(wide * 1.16)} 3 ${short(wide * 0.9)} 7Q0 ${short(wide * 0.56 + 5)} ${short(-wide * 0.9)} 7Q${short(-wide * 1.16)} 3 ${short(-wide)} -4Z`,
        look.scarf,
      );
    parts.push(pen.place(scarf, x, y, 1, 1, turn));
  }
  if (look.hat !== null)
    parts.push(
      pen.place(
        drawHatFor(pen, look.hat),
        anchors.head[0],
        anchors.head[1] + 7 * anchors.scale,
        anchors.scale,
      ),
    );
  return parts.join("");
}
