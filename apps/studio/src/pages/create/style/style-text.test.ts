import { expect, it } from "vitest";
import { hasStyle, withoutStyle, withStyle } from "./style-text.ts";

const words = "ink drawing, fine hatching";

it.each(["", "a dog", "a dog.", "Look!", "a dog, ink"])(
  "adds words to “%s” so that they are read and can be removed again",
  (text) => {
    const styled = withStyle(text, words);
    expect(hasStyle(styled, words)).toBe(true);
    expect(withoutStyle(styled, words)).toBe(text);
    expect(hasStyle(text, words)).toBe(false);
  },
);

it("separates the words from the text", () => {
  expect(withStyle("a dog ", words)).toBe(`a dog, ${words}`);
  expect(withStyle("A dog.", words)).toBe(`A dog. ${words}`);
});

it("leaves what was typed around the words", () => {
  expect(withoutStyle(`a dog, ${words}, at night`, words)).toBe("a dog, at night");
  expect(withoutStyle(`${words}, a dog`, words)).toBe("a dog");
  expect(withoutStyle("a dog", words)).toBe("a dog");
});
