import { expect, it } from "vitest";
import { mm, placeCast } from "./page-layout.ts";

const counts = Array.from({ length: 10 }, (_, index) => index + 1);

it.each(counts)("places %i portraits with their names apart and within the margins", (count) => {
  const portrait = { width: 3, height: 4 };
  const members = counts.slice(0, count).map((one) => ({ name: `${one}`, picture: portrait }));
  const placed = placeCast(
    { title: "The characters", members },
    { title: [28], names: [17, 9] },
    (_, size) => size * 0.5,
    mm.bleed,
  );
  const parts = [
    placed.title,
    ...placed.members.flatMap(({ picture, name }) => (picture === null ? [name] : [picture, name])),
  ];
  expect(parts).toHaveLength(1 + 2 * count);
  for (const [index, one] of parts.entries()) {
    expect(Math.min(one.x, one.y)).toBeGreaterThanOrEqual(mm.bleed + mm.margin - 0.001);
    expect(one.x + one.width).toBeLessThanOrEqual(mm.bleed + mm.width - mm.margin + 0.001);
    expect(one.y + one.height).toBeLessThanOrEqual(mm.bleed + mm.height - mm.margin + 0.001);
    const overlapping = parts
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      );
    expect(overlapping).toEqual([]);
  }
});
