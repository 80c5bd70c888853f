import { expect, it } from "vitest";
import { wordValues } from "./search-words.ts";

it.each([
  ["lighthouse du", { words: "lighthouse ", lastWord: "du", isLikeTerm: false }],
  [" fox ", { words: "", lastWord: "fox", isLikeTerm: false }],
  ["a fox b", { words: "a fox b", lastWord: "", isLikeTerm: false }],
  ["", { words: "", lastWord: "", isLikeTerm: false }],
  ["red Mod", { words: "red ", lastWord: "Mod", isLikeTerm: true }],
  ["sea-re", { words: "", lastWord: "sea-re", isLikeTerm: true }],
  ["models", { words: "", lastWord: "models", isLikeTerm: false }],
])("takes the last word of %j as the beginning of a word", (q, expected) => {
  expect(wordValues(q)).toEqual(expected);
});
