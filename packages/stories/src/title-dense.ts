/** Titles in scripts without spaces between words: Chinese, Japanese, Thai and others. */

const letters =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const openers =
  /^(?:在?(?:这|這|本|此)(?:一)?(?:个|個|张|張|幅)?(?:场景|場景|画面|畫面)(?:中|里|裡)?|この(?:シーン|場面|絵)(?:では|には|で)?|(?:一|1)(?:张|張|幅|枚)(?:の)?(?:画|畫|图|圖|照片|絵)?[,，、]?)[,，、:：\s]*/u;
const joints = /(?:の|は|が|を|に|で|と|へ|も|的|在|和|与|與)$/u;
const maxCharacters = 12;

// Shared, because constructing one takes longer than using it for a title.
const words = new Intl.Segmenter(undefined, { granularity: "word" });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Whether most letters are of such a script. */
export function isDense(text: string): boolean {
  const all = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(letters)?.length ?? 0) * 2 > all;
}

/** The words up to the first punctuation mark, limited to twelve characters. */
export function denseTitle(text: string): string {
  const trimmed = text.replace(/^[\s\p{P}\p{S}]+/u, "");
  const body = trimmed.replace(openers, "") || trimmed;
  const clause = body.split(/[\s\p{P}]+/u).find((piece) => piece !== "") ?? body;
  if (firstCharacters(clause, maxCharacters) === clause) return clause;
  let title = "";
  for (const { segment } of words.segment(clause)) {
    const longer = title + segment;
    if (firstCharacters(longer, maxCharacters) !== longer) break;
    title = longer;
  }
  return title.replace(joints, "") || firstCharacters(clause, maxCharacters);
}

/** The first user-perceived characters (grapheme clusters). */
export function firstCharacters(text: string, count: number): string {
  let first = "";
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (taken === count) break;
    first += segment;
    taken += 1;
  }
  return first;
}

/** Splits a text into user-perceived characters; one may be several code units long. */
export function charactersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
