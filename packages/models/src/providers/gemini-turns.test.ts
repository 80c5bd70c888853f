import { expect, it } from "vitest";
import { continueTurns, findTurns, roomBeside } from "./gemini-turns.ts";

const model = "gemini-3-pro-image";

/** What the model says with a picture of so many characters. */
const drawn = (length: number) => ({
  role: "model",
  parts: [{ inlineData: { mimeType: "image/png", data: "A".repeat(length) } }],
});

/** What the next image finds of a story whose pictures are so long. */
function turnsAfter(...lengths: readonly number[]) {
  let turn: unknown = null;
  for (const length of lengths) {
    const said = { model, turns: findTurns(turn, model), prompt: "p", content: drawn(length) };
    turn = JSON.parse(JSON.stringify(continueTurns(said)));
  }
  return findTurns(turn, model);
}

it("a conversation keeps its newest exchanges, as many as fit", () => {
  expect(turnsAfter(5_000_000, 5_000_000)).toHaveLength(4);
  expect(turnsAfter(5_000_000, 5_000_000, 5_000_000)).toHaveLength(4);
});

it("a picture that is too long by itself ends the conversation, and the next begins another", () => {
  expect(turnsAfter(5_000_000, 41_000_000)).toEqual([]);
  expect(turnsAfter(41_000_000, 5_000_000)).toHaveLength(2);
});

it("a longer conversation, as it may have been kept, is not sent", () => {
  const contents = [{ role: "user", parts: [{ text: "p" }] }, drawn(41_000_000)];
  expect(findTurns({ provider: "gemini", model, contents }, model)).toEqual([]);
});

it("whatever is kept leaves room for references", () => {
  expect(roomBeside(turnsAfter(11_900_000))).toBeGreaterThan(7_000_000);
});
