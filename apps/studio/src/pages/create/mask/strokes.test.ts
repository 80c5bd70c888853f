import { expect, it } from "vitest";
import { draw, emptyDrawing, redo, undo, type Stroke } from "./strokes.ts";

const stroke = (size: number): Stroke => ({ kind: "brush", mode: "add", size, points: [[0, 0]] });

it("undoes and redoes each step in order, also the one that clears", () => {
  const drawn = [stroke(1), { kind: "clear" } as const, stroke(2)].reduce(draw, emptyDrawing);
  const back = undo(undo(drawn));
  expect(back.strokes).toEqual([stroke(1)]);
  expect(redo(redo(back))).toEqual(drawn);
});

it("forgets what was undone when a new step is drawn", () => {
  const drawn = draw(undo(draw(emptyDrawing, stroke(1))), stroke(2));
  expect(drawn).toEqual({ strokes: [stroke(2)], undone: [] });
  expect(redo(drawn)).toBe(drawn);
});

it("keeps a drawing that has nothing to undo", () => {
  expect(undo(emptyDrawing)).toBe(emptyDrawing);
});
