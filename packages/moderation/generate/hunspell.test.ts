import { describe, expect, it } from "vitest";
import { expandHunspell } from "./hunspell.ts";

function formsOf(aff: string, dic: string, mostForms = 1_000): string[] {
  const forms: string[] = [];
  expandHunspell(aff, `9\n${dic}`, mostForms, (form) => forms.push(form));
  return forms.toSorted();
}

describe("expandHunspell", () => {
  it("adds suffixes whose condition the word meets, and strips its letters", () => {
    const aff = "SFX S Y 3\nSFX S 0 s [^sy]\nSFX S y ies [^aeiou]y\nSFX S 0 es s";
    expect(formsOf(aff, "tree/S\nberry/S\nglass/S\nday")).toEqual([
      "berries",
      "berry",
      "day",
      "glass",
      "glasses",
      "tree",
      "trees",
    ]);
  });

  it("reads signs of conditions as letters", () => {
    const aff = "SFX S Y 2\nSFX S 0 es [^-.]\nSFX S 0 s x-";
    expect(formsOf(aff, "ax-/S\na./S\nb/S")).toEqual(["a.", "ax-", "ax-s", "b", "bes"]);
  });

  it("combines prefixes and suffixes of crossing classes only", () => {
    const rules = "PFX U Y 1\nPFX U 0 un .\nSFX D Y 1\nSFX D 0 ed .\nSFX N N 1\nSFX N 0 er .";
    expect(formsOf(rules, "lock/UDN")).toEqual(["lock", "locked", "locker", "unlock", "unlocked"]);
  });

  it("adds suffixes to suffixes, and bounds the forms of a word", () => {
    const aff = "SFX A Y 1\nSFX A 0 ler/B .\nSFX B Y 1\nSFX B 0 de .";
    expect(formsOf(aff, "ev/A")).toEqual(["ev", "evler", "evlerde"]);
    expect(formsOf(aff, "ev/A\nsu/A", 2)).toEqual(["ev", "evler", "su", "suler"]);
  });

  it("reads long and numeric flags, and aliases of flags", () => {
    expect(formsOf("FLAG long\nSFX Aa Y 1\nSFX Aa 0 s .", "tree/AaBb")).toEqual(["tree", "trees"]);
    expect(formsOf("FLAG num\nSFX 12 Y 1\nSFX 12 0 s .", "tree/7,12")).toEqual(["tree", "trees"]);
    expect(formsOf("AF 1\nAF XS\nSFX S Y 1\nSFX S 0 s .", "tree/1")).toEqual(["tree", "trees"]);
  });

  it("leaves out vulgar, forbidden and incomplete words, and forms that need both affixes", () => {
    const aff = [
      "NOSUGGEST !",
      "FORBIDDENWORD %",
      "NEEDAFFIX +",
      "ONLYINCOMPOUND -",
      "CIRCUMFIX C",
      "SFX S Y 1",
      "SFX S 0 s .",
      "SFX T Y 1",
      "SFX T 0 t/C .",
    ].join("\n");
    expect(formsOf(aff, "rude/!S\nwrong/%\nstem/+S\npart/-\nmade/T")).toEqual(["made", "stems"]);
  });

  it("reads escaped slashes and skips morphological fields", () => {
    expect(formsOf("", "and\\/or\ntree po:noun\nhouse\tpo:noun")).toEqual([
      "and/or",
      "house",
      "tree",
    ]);
  });
});
