import { toLatin } from "./confusables.ts";

/** The tokeniser's kinds of characters. */
export const kinds = { none: 0, letter: 1, digit: 2, syllable: 3, emoji: 4, other: 5 } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

export interface Character {
  readonly kind: Kind;
  /** Lower case, without diacritics, in its own script. Empty for what no font shows. */
  readonly native: string;
  /** The Latin letters that it is drawn like; equal to `native` for all others. */
  readonly latin: string;
  readonly isUpper: boolean;
  /** `native` is the character itself. */
  readonly isVerbatim: boolean;
}

// Default ignorable code points (zero-width, variation selectors, tags, fillers), bidi and other
// format characters, and controls that are not white space; and what no font shows: U+FFFC, halves of
// surrogate pairs, private use, noncharacters.
const invisible =
  /(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\uFFFC]|\uFEFF/u;
const allInvisible = new RegExp(invisible.source, "gu");
const mark = /\p{M}/u;
const marks = /\p{M}/gu;
const anyLetter = /\p{L}/u;
const anyNumber = /\p{N}/u;
const pictograph = /\p{Extended_Pictographic}/u;
/** Scripts whose words are not separated, and Hangul, whose particles are written on. */
const syllabic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
const asciiLetters = /^[a-z]+$/u;

/** Letters that Unicode does not decompose, and the variants of one Arabic letter. */
const plainLetters: Readonly<Record<string, string>> = {
  ı: "i",
  ł: "l",
  ø: "o",
  đ: "d",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ة: "ه",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ٱ: "ا",
  ـ: "",
};

/** Traditional forms of characters in the vocabulary, each before its simplified form. */
const traditional =
  "兒儿裸裸體体學学歲岁畫画圖图圖图強强姦奸亂乱倫伦婦妇處处剝剥脫脱內内褲裤視视頻频護护證证偽伪僞伪鈔钞幣币製制駕驾駛驶執执組组織织國国殺杀滅灭聖圣戰战號号褻亵猥猥淫淫誘诱惑惑漢汉級级女女幼幼童童歡欢嬰婴齡龄滿满陰阴莖茎賣卖買买貞贞蘿萝麗丽個个這这張张臉脸換换衣衣服服報报銷销導导縣县檔档發发恐恐襲袭彈弹爆爆動动員员勝胜榮荣頌颂讚赞宣宣傳传獨独對对歷历館馆紀纪念念碑碑醫医療疗教教導导預预防防檢检舉举";
const simplified = new Map<string, string>();
for (let at = 0; at < traditional.length; at += 2) {
  simplified.set(traditional.charAt(at), traditional.charAt(at + 1));
}

const katakanaStart = 0x30a1;
const katakanaEnd = 0x30f6;
const kanaDistance = 0x60;
const arabicZeros = [0x660, 0x6f0];

function foldSyllable(lower: string): string {
  const point = lower.codePointAt(0) ?? 0;
  if (point >= katakanaStart && point <= katakanaEnd) {
    return String.fromCodePoint(point - kanaDistance);
  }
  return simplified.get(lower) ?? lower;
}

function foldLetter(lower: string): string {
  let folded = "";
  for (const character of lower.normalize("NFKD").replace(marks, "")) {
    folded += plainLetters[character] ?? character;
  }
  return folded;
}

function digitOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const zero = arabicZeros.find((first) => point >= first && point < first + 10);
  return zero === undefined ? character : String(point - zero);
}

type Draft = Omit<Character, "isVerbatim">;
const nothing: Draft = { kind: kinds.none, native: "", latin: "", isUpper: false };

function classify(character: string): Draft {
  if (invisible.test(character) || mark.test(character)) return nothing;
  const lower = character.toLowerCase();
  const isUpper = lower !== character;
  const drawnLike = toLatin(character) ?? toLatin(lower);
  if (anyLetter.test(character)) {
    if (syllabic.test(character)) {
      const native = foldSyllable(lower);
      return { kind: kinds.syllable, native, latin: native, isUpper: false };
    }
    const native = foldLetter(lower);
    if (native === "") return nothing;
    const latin = asciiLetters.test(native) ? native : (drawnLike?.toLowerCase() ?? native);
    return { kind: kinds.letter, native, latin, isUpper };
  }
  if (drawnLike !== undefined) {
    const latin = drawnLike.toLowerCase();
    return { kind: kinds.letter, native: latin, latin, isUpper: latin !== drawnLike };
  }
  if (anyNumber.test(character)) {
    const digit = digitOf(character);
    return { kind: kinds.digit, native: digit, latin: digit, isUpper: false };
  }
  const kind = pictograph.test(character) ? kinds.emoji : kinds.other;
  return { kind, native: character, latin: character, isUpper: false };
}

/** Characters of the basic plane by code point, and those beyond. */
const known: (Character | undefined)[] = Array.from({ length: 0x1_0000 });
const knownBeyond = new Map<number, Character>();
/** Bounds what a text of ever new characters can make the process keep. */
const maxBeyond = 10_000;

/** The bits of {@link traitsOf}: the kind in the lowest three, and the other traits. */
export const traits = { kind: 7, isUpper: 8, isPlain: 16, isRead: 32 } as const;
/** By code point, 0 before the first use: small enough to stay in the processor's cache. */
const traitTable = new Uint8Array(0x1_0000);

/**
 * The kind of a character, whether it is upper case, and whether it is plain: `native` and `latin` are
 * the character itself.
 */
export function traitsOf(point: number): number {
  const found = point < 0x1_0000 ? (traitTable[point] ?? 0) : 0;
  if (found !== 0) return found;
  const { kind, isUpper, isVerbatim, native, latin } = characterAt(point);
  const isPlain = isVerbatim && native === latin;
  const packed =
    kind | traits.isRead | (isUpper ? traits.isUpper : 0) | (isPlain ? traits.isPlain : 0);
  if (point < 0x1_0000) traitTable[point] = packed;
  return packed;
}

/** A character of a text in NFKC; `point` is its code point. */
export function characterAt(point: number): Character {
  const found = point < 0x1_0000 ? known[point] : knownBeyond.get(point);
  if (found !== undefined) return found;
  const written = String.fromCodePoint(point);
  const draft = classify(written);
  const character: Character = { ...draft, isVerbatim: draft.native === written };
  if (point < 0x1_0000) known[point] = character;
  else {
    if (knownBeyond.size >= maxBeyond) knownBeyond.clear();
    knownBeyond.set(point, character);
  }
  return character;
}

/** A text without the characters that no font shows. */
export function withoutInvisible(text: string): string {
  return text.replace(allInvisible, "");
}
