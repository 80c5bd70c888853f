/**
 * Words and phrases of one concept, separated by commas or line breaks, in lower case and without
 * diacritics. `nud(e|es)` stands for both forms, `(a|)` may be left out, and a trailing `*` (single
 * words only) stands for any ending, which German compounds need.
 */
export type Words = Readonly<Partial<Record<Language, string>>>;

/** `any` holds names, signs and codes that belong to no language. */
type Language = "en" | "de" | "fr" | "es" | "it" | "pt" | "any";
