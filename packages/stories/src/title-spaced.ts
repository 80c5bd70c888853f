import { isFunctionWord, languages, type Language, type LanguageCode } from "./languages.ts";
import { firstCharacters } from "./title-dense.ts";

/** Titles in scripts with spaces between words. */

const maxWords = 6;
const maxCharacters = 60;

/**
 * The first clause without opening phrases ("a picture of", "in this scene") and without its
 * article, cut at the end of a phrase; each word is capitalised if the language does so.
 *
 * @param code null for an unsupported language: only punctuation and length limit the title.
 */
export function spacedTitle(text: string, code: LanguageCode | null): string {
  const language = code === null ? null : languages[code];
  const clause = mainClause(text, language);
  const words = withoutArticle(clause, code);
  const cut = fit(cutAtPhrase(words, language));
  return code === "en" ? titleCase(cut) : capitalise(cut.join(" "));
}

/** The words of the first meaningful clause. */
function mainClause(text: string, language: Language | null): string[] {
  const plain = text.replace(/^[\s\p{P}\p{S}]+/u, "").replace(/^\d+[.)]\s+/u, "");
  const { body, inverted } = withoutOpeners(plain, language);
  const sentence = clausesOf(body) ?? clausesOf(plain) ?? [[plain]];
  const [first = [], second = []] = sentence;
  const leadIn = second.length > 1 && isLeadIn(first, language);
  const clause = joinShort(leadIn ? sentence.slice(1) : sentence, language);
  const verbFirst = inverted || (leadIn && language === languages.de);
  return verbFirst ? verbSecond(clause) : clause;
}

function withoutOpeners(text: string, language: Language | null) {
  let body = text;
  let inverted = false;
  if (language === null) return { body, inverted };
  for (let before = ""; body !== before;) {
    before = body;
    for (const opener of language.openers) body = cutOff(body, opener);
    for (const opener of language.invertingOpeners) {
      const rest = cutOff(body, opener);
      inverted ||= rest !== body;
      body = rest;
    }
  }
  return { body, inverted };
}

/** Removes an opener, unless nothing would remain. */
function cutOff(text: string, opener: RegExp): string {
  const rest = text.replace(opener, "").trimStart();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

/** The first sentence with words, as clauses of words. */
function clausesOf(text: string): string[][] | undefined {
  const sentenceEnd =
    /(?<!(?:^|\s)(?:Mr|Mrs|Ms|Dr|St|Prof|Sr|Sra|Mme|Hr|Fr))[.!?…;:؟۔।]+(?=\s|$)|[\n|]+/u;
  const clauseEnd = /[,،](?=\s|$)|\s[-–—]+\s|—|[()[\]{}]/u;
  // A longer text is never needed, and prompts may be long.
  return text
    .slice(0, 2_000)
    .split(sentenceEnd)
    .map((sentence) => sentence.split(clauseEnd).map(wordsOf))
    .map((clauses) => clauses.filter(({ length }) => length > 0))
    .find(({ length }) => length > 0);
}

function wordsOf(clause: string): string[] {
  return clause
    .split(/\s+/u)
    .map((word) =>
      word === "&"
        ? word
        : word.replace(
            /^[^\p{L}\p{N}$€£#]+|(?<![^\p{L}\p{M}\p{N}%°’'])[^\p{L}\p{M}\p{N}%°’']+$/gu,
            "",
          ),
    )
    .filter((word) => word === "&" || /[\p{L}\p{N}]/u.test(word));
}

/** Whether a clause only states a time or place: "At dawn, …", "While the others sleep, …". */
function isLeadIn([first = "", ...others]: readonly string[], language: Language | null): boolean {
  if (language === null) return false;
  const word = first.toLowerCase();
  if (language.subordinators.has(word)) return true;
  return language.prepositions.has(word) && others.length < 5;
}

/**
 * Joins a one-word clause (not counting its article) with the next, because it may start a list.
 */
function joinShort(clauses: readonly string[][], language: Language | null): string[] {
  const isShort = (words: readonly string[]) =>
    words.filter((word) => !language?.articles.has(word.toLowerCase())).length < 2;
  const [first = [], ...others] = clauses;
  return others.reduce(
    (words, clause) =>
      isShort(words) ? [...words.slice(0, -1), `${words.at(-1) ?? ""},`, ...clause] : words,
    first,
  );
}

/**
 * Restores German word order after an opener was removed: "öffnet Mara die Tür" → "Mara öffnet die
 * Tür".
 */
function verbSecond(words: readonly string[]): string[] {
  const verb = words.slice(0, words[1] === "sich" ? 2 : 1);
  const rest = words.slice(verb.length);
  const pronoun = /^(?:er|sie|es|wir|ich|alle)$/u.test(rest[0] ?? "");
  const noun = pronoun ? 0 : rest.slice(0, 4).findIndex(startsUpper);
  if (startsUpper(verb[0]) || noun < 0) return [...words];
  return [...rest.slice(0, noun + 1), ...verb, ...rest.slice(noun + 1)];
}

function startsUpper(word: string | undefined): boolean {
  return /^\p{Lu}/u.test(word ?? "");
}

function withoutArticle(words: readonly string[], code: LanguageCode | null): string[] {
  const [first = "", second = "", ...others] = words;
  if (code === null) return [...words];
  if (code === "fr" || code === "it") {
    const bare = first.replace(/^(?:l|un)['’](?=\p{L})/iu, "");
    if (bare !== first) return [bare, ...words.slice(1)];
  }
  if (second === "" || !languages[code].articles.has(first.toLowerCase())) return [...words];
  return code === "de" ? withoutGermanArticle(words) : [second, ...others];
}

/**
 * Removes a German article where grammar allows it. Adjectives are declined for their article: "ein
 * alter Fischer" works without it, "der alte Fischer" does not, and "einen alten Fischer" is
 * reduced to "Fischer".
 */
function withoutGermanArticle([article = "", ...words]: readonly string[]): string[] {
  const noun = words.slice(0, 4).findIndex(startsUpper);
  if (noun === 0 || /^eine?$/iu.test(article)) return words;
  const oblique = /^(?:eine[nmrs]|den|dem|des)$/iu.test(article);
  return oblique && noun > 0 ? words.slice(noun) : [article, ...words];
}

/** At most six words, ending at the end of a clause or phrase. */
function cutAtPhrase(words: readonly string[], language: Language | null): readonly string[] {
  if (words.length <= maxWords || language === null) return words.slice(0, maxWords);
  const isKind = (kind: ReadonlySet<string>, index: number) =>
    kind.has((words[index] ?? "").toLowerCase());
  const isFunction = (index: number) => isFunctionWord(words[index] ?? "", language);
  const lengths = Array.from({ length: maxWords - 1 }, (_, index) => maxWords - index);
  const end =
    lengths.find((length) => isKind(language.subordinators, length) && !isFunction(length - 1)) ??
    lengths.find(
      (length) => length > 2 && isKind(language.conjunctions, length) && !isFunction(length - 1),
    ) ??
    lengths.find((length) => length > 2 && isFunction(length) && !isFunction(length - 1)) ??
    lengths.find((length) => !isFunction(length - 1)) ??
    maxWords;
  return words.slice(0, end);
}

function fit(words: readonly string[]): string[] {
  const [first = "", ...others] = words;
  const fitting = [
    firstCharacters(first, maxCharacters) === first
      ? first
      : `${firstCharacters(first, maxCharacters - 1)}…`,
  ];
  for (const word of others) {
    if ([...fitting, word].join(" ").length > maxCharacters) break;
    fitting.push(word);
  }
  const last = fitting.pop() ?? "";
  return [...fitting, last.replace(/(?<![,،])[,،]+$/u, "")];
}

function titleCase(words: readonly string[]): string {
  const isUpperCase = words.length > 1 && !/\p{Ll}/u.test(words.join(""));
  return (isUpperCase ? words.map((word) => word.toLowerCase()) : words)
    .map((word, index) => {
      const inside = index > 0 && index < words.length - 1;
      return inside && isSmall(word) ? word.toLowerCase() : capitaliseParts(word);
    })
    .join(" ");
}

/** Articles, conjunctions and short prepositions are lower case within an English title. */
function isSmall(word: string): boolean {
  const { articles, conjunctions, prepositions } = languages.en;
  const lower = word.toLowerCase();
  return (
    lower === "as" ||
    articles.has(lower) ||
    conjunctions.has(lower) ||
    (prepositions.has(lower) && lower.length <= 4)
  );
}

function capitaliseParts(word: string): string {
  return word.split("-").map(capitalise).join("-");
}

function capitalise(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
