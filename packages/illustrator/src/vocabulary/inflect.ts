import { fold } from "./word-forms.ts";

/** Languages whose adjectives change with number, gender or case. */
export type InflectedLanguage = "de" | "es" | "fr" | "it" | "pt";

/**
 * Every form of an adjective, folded.
 *
 * @param base the masculine singular (German: the predicative form), with its accents.
 */
export function formsOf(base: string, language: InflectedLanguage): string[] {
  return [...new Set([base, ...inflections[language](base)].map(fold))];
}

const inflections: Readonly<Record<InflectedLanguage, (base: string) => string[]>> = {
  // Strong, weak and mixed declension: rote, roter, rotes, roten, rotem.
  de: (base) => ["e", "er", "es", "en", "em"].map((ending) => base + ending),

  es: (base) =>
    base.endsWith("o")
      ? bothGenders(base, "o", "a")
      : [/[aeiou]$/u.test(base) ? `${base}s` : `${base}es`],

  fr(base) {
    const feminine = feminineInFrench(base);
    return [feminine, `${feminine}s`, ...(/[sx]$/u.test(base) ? [] : [`${base}s`])];
  },

  it(base) {
    if (base.endsWith("io")) return withEndings(base, "io", ["ia", "i", "ie"]);
    if (/[cg]o$/u.test(base)) return withEndings(base, "o", ["a", "hi", "he"]);
    if (base.endsWith("o")) return withEndings(base, "o", ["a", "i", "e"]);
    return base.endsWith("e") ? withEndings(base, "e", ["i"]) : [];
  },

  pt(base) {
    if (base.endsWith("o")) return bothGenders(base, "o", "a");
    if (base.endsWith("l")) return withEndings(base, "l", ["is"]);
    return [base.endsWith("m") ? `${base.slice(0, -1)}ns` : `${base}s`];
  },
};

function feminineInFrench(base: string): string {
  if (base.endsWith("e")) return base;
  if (base.endsWith("c")) return `${base}he`;
  return base.endsWith("et") ? `${base}te` : `${base}e`;
}

function bothGenders(base: string, masculine: string, feminine: string): string[] {
  return withEndings(base, masculine, [feminine, `${masculine}s`, `${feminine}s`]);
}

function withEndings(base: string, ending: string, others: readonly string[]): string[] {
  const stem = base.slice(0, -ending.length);
  return others.map((other) => stem + other);
}
