import { expect, it } from "vitest";
import { moveBy, showPoint, wholeImage, zoomBy } from "./view.ts";

const image = { x: 600, y: 400 };

it("zooms around the pointer, from the whole image to 12 times its size", () => {
  const point = { x: 100, y: -50 };
  const closer = zoomBy(wholeImage, 2, point, image);
  expect(closer).toEqual({ scale: 2, x: -100, y: 50 });
  // The point of the image below the pointer, before and after.
  expect((point.x - closer.x) / closer.scale).toBe(point.x);
  expect(zoomBy(closer, 100, point, image).scale).toBe(12);
  expect(zoomBy(closer, 0.01, point, image)).toEqual(wholeImage);
});

it("keeps the image below the centre of the stage when it is moved", () => {
  const closer = zoomBy(wholeImage, 2, { x: 0, y: 0 }, image);
  expect(moveBy(closer, { x: 1_000, y: -1_000 }, image)).toEqual({ scale: 2, x: 300, y: -200 });
  expect(moveBy(wholeImage, { x: 10, y: 10 }, image)).toEqual(wholeImage);
});

it("moves the image to a point that is outside of the stage, and only then", () => {
  const closer = { scale: 4, x: 0, y: 0 };
  expect(showPoint(closer, { x: 0.5, y: 0.5 }, image, image)).toEqual(closer);
  const shown = showPoint(closer, { x: 0.9, y: 0.5 }, image, image);
  expect(shown.x + 0.4 * image.x * 4).toBe(image.x / 2 - 16);
});
