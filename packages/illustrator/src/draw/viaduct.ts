import { shade } from "../colour.ts";
import { box, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { drawTrain } from "./road-vehicles.ts";

/** A railway viaduct on tall arches, with a train if one crosses it. */
export function drawViaduct(brush: Brush): string {
  const { pen, random } = brush;
  const stone = mainColour(brush, ["#b9aea2", "#a89a8c", "#c2a98a"]);
  // It continues beyond the picture on both sides.
  const arches = range(32).map((index) => {
    const x = 846 - index * 56;
    return `H${x + 44}V-34A22 22 0 0 0 ${x} -34V4`;
  });
  const outline = `M-904 4V-70H904V4${arches.join("")}Z`;
  const marks = range(180).map(
    () => `M${short(random.between(-890, 880))} ${short(-random.between(58, 66))}h9`,
  );
  const train = brush.parts.get("train");
  return (
    (train === undefined
      ? ""
      : pen.place(drawTrain({ ...brush, colours: [train] }), 10, -73, 0.52)) +
    pen.fill(outline, stone) +
    pen.line(marks.join(""), shade(stone, -0.08), 1.4, 0.7) +
    pen.fill(box(-908, -75, 1816, 7), shade(stone, 0.07))
  );
}
