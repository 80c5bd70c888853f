import { describe, expect, it } from "vitest";
import { readPageLanguage } from "./page-language.ts";

/** A request with these headers; `languages` are those of Accept-Language, best first. */
const request = (languages: string[], cookie?: string) => ({
  get: (() => cookie) as never,
  acceptsLanguages: (() => languages) as never,
});

describe("readPageLanguage", () => {
  it.each([
    [["de-AT", "en"], "de"],
    [["fr", "DE", "en"], "de"],
    [["en-IE", "de"], "en"],
    [["fr-FR", "*"], "en"],
    [[], "en"],
  ])("selects for a browser with %j the page in %s", (languages, language) =>
    expect(readPageLanguage(request(languages))).toBe(language),
  );

  it("prefers the language of the cookie", () => {
    expect(readPageLanguage(request(["de"], "a=1; atelier_language=en"))).toBe("en");
    expect(readPageLanguage(request(["en"], "atelier_language=de; b=2"))).toBe("de");
  });

  it("ignores a cookie with a language that Studio does not have", () =>
    expect(readPageLanguage(request(["de"], "atelier_language=../x"))).toBe("de"));
});
