import { expect, it } from "vitest";
import { continueTurns, findTurns, roomBeside } from "./gemini-turns.ts";

const model = "gemini-3-pro-image";

/** The model's content with an image of the given length in characters. */
const drawn = (length: number) => ({
  role: "model",
  parts: [{ inlineData: { mimeType: "image/png", data: "A".repeat(length) } }],
});

/** The turns available to the next image of a story whose images have the given lengths. */
function turnsAfter(...lengths: readonly number[]) {
  let turn: unknown = null;
  for (const length of lengths) {
    const exchange = { model, turns: findTurns(turn, model), prompt: "p", content: drawn(length) };
    turn = JSON.parse(JSON.stringify(continueTurns(exchange)));
  }
  return findTurns(turn, model);
}

it("a conversation keeps the newest exchanges that fit", () => {
  expect(turnsAfter(5_000_000, 5_000_000)).toHaveLength(4);
  expect(turnsAfter(5_000_000, 5_000_000, 5_000_000)).toHaveLength(4);
});

it("an image that exceeds the limit by itself starts a new conversation", { tags: "full" }, () => {
  expect(turnsAfter(5_000_000, 41_000_000)).toEqual([]);
  expect(turnsAfter(41_000_000, 5_000_000)).toHaveLength(2);
});

it("a stored conversation above the limit is not sent", () => {
  const contents = [{ role: "user", parts: [{ text: "p" }] }, drawn(41_000_000)];
  expect(findTurns({ provider: "gemini", model, contents }, model)).toEqual([]);
});

it("the kept conversation leaves room for references", () => {
  expect(roomBeside(turnsAfter(11_900_000))).toBeGreaterThan(7_000_000);
});
