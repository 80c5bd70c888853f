import { shade } from "../colour.ts";
import { box, range, short } from "../geometry.ts";
import { mainColour } from "./brush.ts";
import type { Brush } from "./brush.ts";
import { drawTrain } from "./road-vehicles.ts";

/** A railway viaduct on tall arches, with the train that crosses it, where there is one. */
export function drawViaduct(brush: Brush): string {
  const { pen, random } = brush;
  const stone = mainColour(brush, ["#b9aea2", "#a89a8c", "#c2a98a"]);
  // It goes on beyond the picture on both sides.
  const arches = range(16).map((index) => {
    const x = 398 - index * 56;
    return `H${x + 44}V-34A22 22 0 0 0 ${x} -34V4`;
  });
  const outline = `M-456 4V-70H456V4${arches.join("")}Z`;
  const marks = range(90).map(
    () => `M${short(random.between(-440, 430))} ${short(-random.between(58, 66))}h9`,
  );
  const train = brush.parts.get("train");
  return (
    (train === undefined
      ? ""
      : pen.place(drawTrain({ ...brush, colours: [train] }), 10, -73, 0.52)) +
    pen.fill(outline, stone) +
    pen.line(marks.join(""), shade(stone, -0.08), 1.4, 0.7) +
    pen.fill(box(-460, -75, 920, 7), shade(stone, 0.07))
  );
}
