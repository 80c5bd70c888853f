import { expect, it } from "vitest";
import { createRandom } from "../random.ts";
import { besideOf } from "./clouds.ts";

it("draws clouds beside the sun on either side of the picture", () => {
  const random = createRandom(1);
  const width = 1024;
  for (const x of [0.2, 0.33, 0.67, 0.8]) {
    const sun = { x: x * width, y: 150, radius: 60 };
    for (let number = 0; number < 40; number += 1) {
      const size = random.between(50, 170);
      const cloud = besideOf(sun, random.between(0, width), sun.y, size, width);
      expect(Math.abs(cloud - sun.x)).toBeGreaterThanOrEqual(size + sun.radius);
    }
  }
  const far = { x: 800, y: 150, radius: 60 };
  expect(besideOf(far, 300, 150, 100, width)).toBe(300);
});
