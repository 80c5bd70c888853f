import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  closedText,
  hiddenText,
  looksStretched,
  normalise,
  readLeet,
  squeeze,
  toLookAlikes,
} from "./normalise.ts";

describe("toLookAlikes", () => {
  it.each([
    ["Ｆｕｌｌｗｉｄｔｈ", "fullwidth"],
    ["𝓂𝒶𝓉𝒽 𝕝𝕖𝕥𝕥𝕖𝕣𝕤", "math letters"],
    ["ѕуrіllіс оr nоt", "syrillic or not"],
    ["ΑΒΕΗΙΚΜΝΟΡΤΧΥΖ", "abehikmnoptxyz"],
    ["ꜱᴍᴀʟʟ ᴄᴀᴘɪᴛᴀʟꜱ", "small capitals"],
    ["🅒🅘🅡🅒🅛🅔 🆂🆀🆄🅰🆁🅴", "circle square"],
    ["crème brûlée, Straße, Ærø, İstanbul", "creme brulee, strasse, aero, istanbul"],
    ["zero\u200Bwidth\u200D, bi\u202Edi, so\u00ADft, f\uFE0Fs", "zerowidth, bidi, soft, fs"],
    ["tag\u{E0061}\u{E0062}s", "tags"],
    ["ob\uFFFCject, lo\uD800ne, pri\uE000vate, no\uFFFEne", "object, lone, private, none"],
  ])("%s → %s", (text, plain) => {
    expect(toLookAlikes(text)).toBe(plain);
  });
});

describe("normalise", () => {
  it.each([
    ["Crème brûlée, Straße, Łódź", "creme brulee, strasse, lodz"],
    ["Кириллица остаётся", "кириллица остается"],
    ["تَشْكِيل وأحرف", "تشكيل واحرف"],
    ["カタカナとひらがな", "かたかなとひらがな"],
    ["한국어", "한국어"],
    ["裸體兒童", "裸体儿童"],
    ["١٢ and ۱۲", "12 and 12"],
  ])("keeps the script: %s → %s", (text, plain) => {
    expect(normalise(text)).toBe(plain);
  });

  it("is idempotent and never throws", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
        .map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normalise(text);
        expect(normalise(once)).toBe(once);
      }),
      { numRuns: process.env["ATELIER_TEST_LANE"] === "full" ? 300 : 25 },
    );
  });

  it("reads what is written in tag characters", () => {
    const hidden = Array.from("red bike", (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0)));
    expect(hiddenText(`A cat${hidden.join("")}.`)).toBe("red bike");
    expect(hiddenText("A cat.")).toBe("");
  });

  it("closes narrow spaces", () => {
    expect(closedText("bi\u200Acy\u202Fcle, re\u2800d")).toBe("bicycle, red");
    expect(closedText("a red bicycle")).toBe("");
  });

  it("reads leet and repeated letters", () => {
    expect(readLeet("b1cyc13", "i")).toBe("bicycie");
    expect(readLeet("@pp13", "l")).toBe("apple");
    expect(squeeze("nooooodle")).toBe("nodle");
    expect(looksStretched("biiike")).toBe(true);
    expect(looksStretched("biike")).toBe(true);
    expect(looksStretched("noodle")).toBe(false);
  });
});
