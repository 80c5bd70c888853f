import type { Moderator, ModerationText, ModerationVerdict } from "@atelier/moderation";
import type { Random } from "../shared/random.ts";
import { childOf, childWords } from "./child-words.ts";
import type { GateTexts } from "./texts.ts";

/** The refusals of one kind of text in one language. */
export interface Tally {
  texts: number;
  illegal: number;
  policy: number;
  /** The refused texts, as many as are shown. */
  readonly refused: Refusal[];
}

export interface Refusal {
  readonly status: 451 | 422;
  readonly category: string;
  readonly text: string;
  /** The client's words that an uncertain refusal rests on. */
  readonly quoted: string;
}

const { signal } = new AbortController();
const storySentences = 12;

export function createTally(): Tally {
  return { texts: 0, illegal: 0, policy: 0, refused: [] };
}

/** Judges texts as one request and counts the verdict. */
export async function count(
  moderator: Moderator,
  texts: readonly ModerationText[],
  tally: Tally,
): Promise<ModerationVerdict> {
  const request = { texts, strictness: "normal", hasClientImages: false } as const;
  const verdict = await moderator.moderate(request, signal);
  tally.texts += 1;
  if (verdict.allowed) return verdict;
  const isIllegal = verdict.code === "content_illegal";
  if (isIllegal) tally.illegal += 1;
  else tally.policy += 1;
  tally.refused.push({
    status: isIllegal ? 451 : 422,
    category: verdict.category,
    text: texts.map(({ text }) => text).join(" | "),
    quoted: verdict.quoted
      .map(({ written, readAs }) => (readAs === null ? written : `${written} → ${readAs}`))
      .join(", "),
  });
  return verdict;
}

/** One prompt. */
export function promptOf(text: string): readonly ModerationText[] {
  return [{ path: "prompt", text }];
}

/** Every frequent word beside each word for a child; counts words, not prompts. */
export async function judgeFrequentWords(
  moderator: Moderator,
  language: string,
  words: readonly string[],
  exceptions: ReadonlySet<string>,
): Promise<Tally> {
  const tally = createTally();
  for (const word of words) {
    if (exceptions.has(word)) continue;
    const ofWord = createTally();
    for (const child of childWords[language] ?? []) {
      await count(moderator, promptOf(`${child} ${word}`), ofWord);
    }
    tally.texts += 1;
    const illegal = ofWord.refused.find(({ status }) => status === 451);
    if (illegal !== undefined) tally.illegal += 1;
    else if (ofWord.policy > 0) tally.policy += 1;
    const shown = illegal ?? ofWord.refused[0];
    if (shown !== undefined) tally.refused.push(shown);
  }
  return tally;
}

/** Every sentence as a prompt of its own. */
export async function judgeSentences(
  moderator: Moderator,
  sentences: readonly string[],
): Promise<Tally> {
  const tally = createTally();
  for (const sentence of sentences) await count(moderator, promptOf(sentence), tally);
  return tally;
}

/** Stories with a child as their character and twelve random sentences as their scenes. */
export async function judgeStories(
  moderator: Moderator,
  language: string,
  sentences: readonly string[],
  stories: number,
  random: Random,
): Promise<Tally> {
  const tally = createTally();
  const [first = "", ...others] = sentences;
  for (let story = 0; story < stories; story += 1) {
    const scenes = Array.from({ length: storySentences }, (_, scene) => ({
      path: `scenes.${scene}.prompt`,
      text: random.pick([first, ...others]),
    }));
    const texts = [
      { path: "characters.0.name", text: "Mia" },
      { path: "characters.0.description", text: childOf(language) },
      ...scenes,
      ...scenes.map(({ path, text }) => ({
        path,
        text: `Mia: ${childOf(language)}. ${text}`,
        composedOf: [path, "characters.0.description"],
      })),
    ];
    await count(moderator, texts, tally);
  }
  return tally;
}

/** A seeded share of some texts, in their order. */
export function sampleOf(
  texts: readonly string[],
  share: number,
  random: Random,
): readonly string[] {
  return share >= 1 ? texts : texts.filter(() => random.next() < share);
}

export type { GateTexts };
