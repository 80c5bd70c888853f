import { studioLanguages, type StudioLanguage } from "@atelier/schemas";
import type { Request } from "express";

/** Cookie with the language that was chosen in this browser. Pages of Studio write it. */
const cookieName = "atelier_language";

/**
 * Chooses the language of a page: the chosen one of the cookie, else the first of `Accept-Language`
 * that Studio has, else English.
 */
export function readPageLanguage(
  request: Pick<Request, "get" | "acceptsLanguages">,
): StudioLanguage {
  const cookies = (request.get("Cookie") ?? "").split("; ");
  const chosen = studioLanguages.find((language) => cookies.includes(`${cookieName}=${language}`));
  if (chosen !== undefined) return chosen;
  // The browser's languages, such as "de-AT", best first.
  const accepted = request.acceptsLanguages().map((tag) => tag.split("-")[0]?.toLowerCase());
  for (const primary of accepted) {
    const found = studioLanguages.find((language) => language === primary);
    if (found !== undefined) return found;
  }
  return studioLanguages[0];
}

/** The file of the build with the page in a language. */
export function pageFile(language: StudioLanguage): string {
  return language === studioLanguages[0] ? "index.html" : `index.${language}.html`;
}
