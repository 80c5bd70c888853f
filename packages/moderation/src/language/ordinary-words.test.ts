import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { normalise } from "../text/normalise.ts";
import {
  createOrdinaryWords,
  loadOrdinaryPairs,
  loadOrdinaryWords,
  ordinaryLanguages,
} from "./ordinary-words.ts";

const folder = new URL("../../data/ordinary/", import.meta.url);

function wordsIn(name: string): string[] {
  return readFileSync(new URL(name, folder), "utf8").split("\n").slice(0, -1);
}

describe("createOrdinaryWords", () => {
  const words = createOrdinaryWords([
    ["nl", Buffer.from("nu\nzon\n")],
    ["sv", Buffer.from("nu\nsol\n")],
    ["ru", Buffer.from("дом\n")],
  ]);

  it("names every language that lists a word", () => {
    expect(words.languagesOf("nu")).toEqual(["nl", "sv"]);
    expect(words.languagesOf("sol")).toEqual(["sv"]);
    expect(words.languagesOf("дом")).toEqual(["ru"]);
  });

  it("names none for other words, parts of words, lines and long runs of letters", () => {
    for (const word of [
      "",
      "n",
      "nuz",
      "nu\nzon",
      "\n",
      "до",
      "日",
      "a".repeat(10_000),
      "я".repeat(100),
    ]) {
      expect(words.languagesOf(word)).toEqual([]);
    }
  });
});

describe("data/ordinary", () => {
  const words = loadOrdinaryWords();

  it("has a list for each language that is named, and no other", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
    expect(files.toSorted()).toEqual(
      [...ordinaryLanguages.map((language) => `${language}.txt`), "pairs.en.txt"].toSorted(),
    );
  });

  it.each(ordinaryLanguages)("holds sorted, normalised, different words in %s", (language) => {
    const list = wordsIn(`${language}.txt`);
    expect(list.length).toBeGreaterThan(0);
    expect(list).toEqual([...new Set(list)].sort());
    expect(list.filter((word) => !/^\p{L}{2,40}$/u.test(word) || normalise(word) !== word)).toEqual(
      [],
    );
    expect(list.filter((word) => !words.languagesOf(word).includes(language))).toEqual([]);
  });

  it.each([
    ["nu", "nl"],
    ["nu", "ro"],
    ["droga", "pl"],
    ["scooter", "en"],
  ] as const)("knows that %s is ordinary in %s", (word, language) => {
    expect(words.languagesOf(word)).toContain(language);
  });

  it("has no words that are explicit in every language", () => {
    for (const word of ["porno", "pornografi", "nazist", "terrorist", "masturbation"]) {
      expect(words.languagesOf(word)).toEqual([]);
    }
  });

  it("has pairs of words that look like one word cut in two", () => {
    expect(loadOrdinaryPairs().has("pen is")).toBe(true);
  });
});
