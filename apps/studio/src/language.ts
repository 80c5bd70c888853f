import type { StudioLanguage } from "@atelier/schemas";

/** The language of this page, which the server chose. */
export const language =
  typeof document === "undefined" ? "en" : (document.documentElement.lang as StudioLanguage);

/** The language with the region of the browser, such as `de-AT`, for numbers, amounts and times. */
export const locale =
  navigator.languages.find((tag) => tag.split("-")[0]?.toLowerCase() === language) ?? language;

/** The languages of Studio, each with its own name. */
export function listLanguages(): { readonly code: StudioLanguage; readonly name: string }[] {
  return import.meta.env.STUDIO_LANGUAGES.map((code) => ({
    code,
    name: new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code,
  }));
}

const cookieName = "atelier_language";

/** Where the server reads the language that was chosen in this browser, for a year. */
function writeCookie(value: string, seconds = 31_536_000): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const path = import.meta.env.BASE_URL.slice(0, -1);
  // The cookie store cannot be read without waiting, and HTTP has none.
  // oxlint-disable-next-line unicorn/no-document-cookie
  document.cookie = `${cookieName}=${value}; Path=${path}; Max-Age=${seconds}; SameSite=Lax${secure}`;
}

const isKept = (chosen: string) => document.cookie.split("; ").includes(`${cookieName}=${chosen}`);

/** In the storage of this browser while the cookie has the language of an account. */
const markName = "atelier.language";

function keep(chosen: StudioLanguage | null, isOfAccount: boolean): void {
  if (chosen === null) writeCookie("", 0);
  else writeCookie(chosen);
  try {
    if (isOfAccount && chosen !== null) localStorage.setItem(markName, "account");
    else localStorage.removeItem(markName);
  } catch {
    // Without storage, the language stays until another one is chosen.
  }
}

function isOfAnAccount(): boolean {
  try {
    return localStorage.getItem(markName) !== null;
  } catch {
    return false;
  }
}

/**
 * Loads this page again in another language, which this browser keeps.
 *
 * @param chosen null for the language of the browser.
 * @param isOfAccount whether the browser keeps it as long as the account has a language. Default: false.
 */
export function openInLanguage(
  chosen: StudioLanguage | null,
  { isOfAccount = false }: { readonly isOfAccount?: boolean } = {},
): void {
  keep(chosen, isOfAccount);
  location.reload();
}

/**
 * Follows the language of the account, or that of the browser again once the account has no language.
 *
 * @param chosen null for the language of the browser.
 * @returns whether the page is loaded again. It is not if that would not change its language: without
 *   cookies, or when the server has no page in this language.
 */
export function followLanguage(chosen: StudioLanguage | null): boolean {
  // The mark is removed before the page is loaded again, which happens once.
  if (chosen === null ? !isOfAnAccount() : isKept(chosen)) return false;
  keep(chosen, true);
  if (chosen === null ? isOfAnAccount() : chosen === language || !isKept(chosen)) return false;
  location.reload();
  return true;
}
