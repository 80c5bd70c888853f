import type { Colour } from "../colour.ts";
import type { Pen } from "../pen.ts";

/** A thick line drawn as an area: it gets an edge in styles with edges. */
export function tube(
  pen: Pen,
  path: string,
  colour: Colour,
  width: number,
  edgeWidth = 0.5,
): string {
  const edge = pen.style.edge;
  const outline =
    edge === null
      ? ""
      : pen.line(
          path,
          edge.colour(pen.style.tone(colour)),
          width + edgeWidth * 2 * edge.width,
          edge.opacity,
        );
  return outline + pen.line(path, colour, width);
}
