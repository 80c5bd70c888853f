import { expect, it } from "vitest";
import { describeReading } from "./describe-reading.ts";

it.each([
  ["ثعلب أحمر", [], ["ثعلب", "أحمر"], true],
  ["🦊🌲", [], ["🦊", "🌲"], true],
  ["a 🦊 by the lighthouse", ["lighthouse"], ["🦊"], false],
  ["Лиса im Wald", ["forest"], ["Лиса"], false],
  ["xqzt flurb", [], [], true],
  ["a red fox in the snow", ["fox", "snow"], [], false],
])("tells what of %j is drawn", (prompt, understood, unread, isPattern) => {
  expect(describeReading(prompt, [])).toEqual({ understood, unread, isPattern });
});

it("names nothing behind the part of a prompt that is drawn", () => {
  const prompt = `🦊 ${"x ".repeat(3_000)}a lighthouse, ثعلب`;
  expect(describeReading(prompt, [])).toEqual({ understood: [], unread: ["🦊"], isPattern: true });
});

it("names at most ten words of a long prompt", () => {
  const prompt = Array.from({ length: 3_000 }, (_, index) => `ж${index}`).join(" ");
  expect(describeReading(prompt, []).unread).toHaveLength(10);
});
