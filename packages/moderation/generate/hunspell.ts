/** An affix rule of a hunspell dictionary. */
interface Rule {
  /** Letters that are removed first. */
  readonly strip: string;
  readonly letters: string;
  /** Flags of the word that the rule makes. */
  readonly flags: readonly string[];
  readonly condition: RegExp | undefined;
}

interface AffixClass {
  readonly isPrefix: boolean;
  /** Its rules combine with affixes on the other side of the word. */
  readonly isCross: boolean;
  readonly rules: readonly Rule[];
}

interface Affixes {
  readonly classes: ReadonlyMap<string, AffixClass>;
  readonly readFlags: (written: string) => readonly string[];
  /** Words with them are no words by themselves. */
  readonly needAffix: string | undefined;
  /** Words with one of them are left out: forbidden, vulgar, or only part of a compound. */
  readonly excluded: ReadonlySet<string>;
  /** Affixes that belong together on both sides, which are left out. */
  readonly circumfix: string | undefined;
}

const excludingOptions = new Set(["FORBIDDENWORD", "ONLYINCOMPOUND", "NOSUGGEST"]);
const none: readonly string[] = [];

/** The flags of a word or rule as the option FLAG writes them. */
function splitFlags(written: string, kind: string): string[] {
  if (kind === "num") return written.split(",");
  if (kind === "long") return written.match(/../gsu) ?? [];
  return Array.from(written);
}

const conditionParts = /\[(\^?)([^\]]*)\]|(.)/gsu;

/** A condition as hunspell writes it: letters, dots and classes of letters without ranges. */
function conditionOf(written: string, isPrefix: boolean): RegExp | undefined {
  if (written === "." || written === "") return undefined;
  const pattern = written.replace(
    conditionParts,
    (_, negation: string | undefined, letters: string | undefined, single: string | undefined) => {
      if (single === ".") return ".";
      return `[${negation ?? ""}${(letters ?? single ?? "").replace(/[-\\\]^]/gu, "\\$&")}]`;
    },
  );
  return new RegExp(isPrefix ? `^${pattern}` : `${pattern}$`, "u");
}

/** Reads an .aff file. */
function readAffixes(source: string): Affixes {
  const lines = source.split(/\r?\n/u).map((line) => line.split(/[ \t]+/u));
  const optionOf = (name: string): string | undefined =>
    lines.find(([option]) => option === name)?.[1];
  const kind = optionOf("FLAG") ?? "char";
  // The first line of AF is their number.
  const aliases = lines.flatMap(([name, flags]) => (name === "AF" ? [flags ?? ""] : []));
  const readFlags = (written: string): readonly string[] => {
    const isAlias = aliases.length > 0 && /^\d+$/u.test(written);
    return splitFlags(isAlias ? (aliases[Number(written)] ?? "") : written, kind);
  };
  const classes = new Map<string, { isPrefix: boolean; isCross: boolean; rules: Rule[] }>();
  const headers = new Set<string>();
  for (const [option, flag = "", third = "", fourth = "", fifth = "."] of lines) {
    if (option !== "PFX" && option !== "SFX") continue;
    const isPrefix = option === "PFX";
    if (!headers.has(flag)) {
      headers.add(flag);
      classes.set(flag, { isPrefix, isCross: third === "Y", rules: [] });
      continue;
    }
    const [letters = "", flags] = fourth.split("/");
    classes.get(flag)?.rules.push({
      strip: third === "0" ? "" : third,
      letters: letters === "0" ? "" : letters,
      flags: flags === undefined ? none : readFlags(flags),
      condition: conditionOf(fifth, isPrefix),
    });
  }
  return {
    classes,
    readFlags,
    needAffix: optionOf("NEEDAFFIX"),
    excluded: new Set(
      lines.flatMap(([option = "", flag]) =>
        flag !== undefined && excludingOptions.has(option) ? [flag] : [],
      ),
    ),
    circumfix: optionOf("CIRCUMFIX"),
  };
}

function applyRule(word: string, rule: Rule, isPrefix: boolean): string | undefined {
  const { strip, letters, condition } = rule;
  if (condition?.test(word) === false) return undefined;
  if (isPrefix) return word.startsWith(strip) ? letters + word.slice(strip.length) : undefined;
  return word.endsWith(strip) ? word.slice(0, word.length - strip.length) + letters : undefined;
}

/**
 * Passes every form of every word of a hunspell dictionary to `add`: stems, prefixes, suffixes, suffixes
 * on suffixes, and prefixes with suffixes. Compounds are not formed, and vulgar words (NOSUGGEST) are
 * left out.
 *
 * @param aff the contents of the .aff file.
 * @param dic the contents of the .dic file.
 * @param mostForms bounds the forms of one word.
 */
export function expandHunspell(
  aff: string,
  dic: string,
  mostForms: number,
  add: (form: string) => void,
): void {
  const affixes = readAffixes(aff);
  const { classes, readFlags, needAffix, excluded, circumfix } = affixes;
  let left = 0;

  function emit(form: string, flags: readonly string[]): void {
    if (needAffix !== undefined && flags.includes(needAffix)) return;
    if (flags.some((flag) => excluded.has(flag))) return;
    left -= 1;
    add(form);
  }

  function addPrefixes(word: string, flags: readonly string[], isCrossOnly: boolean): void {
    for (const flag of flags) {
      const found = classes.get(flag);
      if (found?.isPrefix !== true || (isCrossOnly && !found.isCross)) continue;
      for (const rule of found.rules) {
        if (left <= 0) return;
        const form = isUsable(rule) ? applyRule(word, rule, true) : undefined;
        if (form !== undefined) emit(form, rule.flags);
      }
    }
  }

  function isUsable(rule: Rule): boolean {
    return circumfix === undefined || !rule.flags.includes(circumfix);
  }

  function addSuffixes(
    word: string,
    flags: readonly string[],
    stemFlags: readonly string[],
    depth: number,
  ): void {
    for (const flag of flags) {
      const found = classes.get(flag);
      if (found === undefined || found.isPrefix) continue;
      for (const rule of found.rules) {
        if (left <= 0) return;
        const form = isUsable(rule) ? applyRule(word, rule, false) : undefined;
        if (form === undefined) continue;
        emit(form, rule.flags);
        if (found.isCross) addPrefixes(form, [...stemFlags, ...rule.flags], true);
        if (depth < 2 && rule.flags.length > 0) {
          addSuffixes(form, rule.flags, stemFlags, depth + 1);
        }
      }
    }
  }

  for (const line of dic.split(/\r?\n/u).slice(1)) {
    const entry = /^((?:\\\/|[^/\t])+)(?:\/([^\s]*))?/u.exec(line);
    const [, written = "", marks = ""] = entry ?? [];
    // Morphological fields follow after a tab or a space and have a colon: "word po:noun".
    const word = written
      .replace(/\s+[a-z]{2}:.*/u, "")
      .replaceAll("\\/", "/")
      .trim();
    if (word === "" || word.startsWith("#")) continue;
    const flags = readFlags(marks);
    if (flags.some((flag) => excluded.has(flag))) continue;
    left = mostForms;
    emit(word, flags);
    addPrefixes(word, flags, false);
    addSuffixes(word, flags, flags, 1);
  }
}
