import { describe, expect, it } from "vitest";
import { findMinorAges } from "./ages.ts";
import { tokenise } from "./tokenise.ts";

function ages(text: string): string[] {
  const { tokens } = tokenise(text);
  return findMinorAges(tokens).map(({ start, end }) =>
    tokens
      .slice(start, end)
      .map((token) => token.word)
      .join(" "),
  );
}

describe("findMinorAges", () => {
  it.each([
    ["a 10-year-old girl", "10 year old"],
    ["a ten year old boy", "ten year old"],
    ["13yo", "13 yo"],
    ["12 y/o", "12 y o"],
    ["aged fourteen", "aged fourteen"],
    ["at the age of 9", "age of 9"],
    ["she's 15", "15"],
    ["ein zehnjähriger Junge", "zehnjahriger"],
    ["12-jährige Schülerin", "12 jahrige"],
    ["elf Jahre alt", "elf jahre alt"],
    ["une fille de 12 ans", "12 ans"],
    ["una niña de doce años", "doce anos"],
    ["una ragazza di 14 anni", "14 anni"],
    ["uma menina de dez anos", "dez anos"],
  ])("finds the age in: %s", (text, age) => {
    expect(ages(text)).toEqual([age]);
  });

  it.each([
    "an 18-year-old woman",
    "a 30 year old man",
    "she is one with the sea",
    "she is 5 feet tall",
    "12 years of experience",
    "a house number 12 in the street",
    "3 cats and 4 dogs",
    "ein 40-jähriger Mann",
    "Character (Otto): an old man",
    "a picture of an elf.",
  ])("finds no age in: %s", (text) => {
    expect(ages(text)).toEqual([]);
  });
});
