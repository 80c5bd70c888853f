import type { StoryRequest } from "@atelier/schemas";
import { detectLanguage } from "./languages.ts";
import { charactersOf, denseTitle, firstCharacters, isDense } from "./title-dense.ts";
import { spacedTitle } from "./title-spaced.ts";

/**
 * The title of a story: the requested one, or made of its overall prompt, else of its setting, else of
 * the names of its characters.
 */
export function storyTitle({
  title,
  prompt,
  setting,
  characters,
}: Pick<StoryRequest, "title" | "prompt" | "setting" | "characters">): string {
  if (title !== undefined) return title;
  const text = prompt ?? setting;
  return (text === undefined ? null : titleOf(text)) ?? joinNames(characters) ?? "Story";
}

/** Names of a title; further characters would make it too long. */
const maxNames = 3;

/** "Mira and Otto", or "Mira, Otto and Others" for more than three characters. */
function joinNames(characters: StoryRequest["characters"]): string | null {
  const names = characters.map(({ name }) => readable(name)).filter((name) => name !== "");
  const listed = names.length > maxNames ? [...names.slice(0, maxNames - 1), "Others"] : names;
  if (listed.length < 2) return listed[0] ?? null;
  return `${listed.slice(0, -1).join(", ")} and ${listed.at(-1)}`;
}

/** A title for each scene, in order; different prompts get different titles. */
export function sceneTitles(prompts: readonly string[]): string[] {
  const promptOf = new Map<string, string>();
  const titles = new Map([...new Set(prompts)].map((prompt) => [prompt, titleOf(prompt)]));
  return prompts.map((prompt, index) => {
    const title = titles.get(prompt) ?? `Scene ${index + 1}`;
    const candidates = [title, ...titleFromDifference(prompt, promptOf.get(title))];
    for (let number = 2; ; number += 1) {
      const free = candidates.find((candidate) => (promptOf.get(candidate) ?? prompt) === prompt);
      if (free !== undefined) {
        promptOf.set(free, prompt);
        return free;
      }
      candidates.push(`${title} (${number})`);
    }
  });
}

/**
 * A short title for a text, from its own words and in its language.
 *
 * @returns null for a text without visible characters.
 */
export function titleOf(text: string): string | null {
  const visible = readable(text);
  const words = withoutPictographs(visible);
  if (!/[\p{L}\p{N}]/u.test(words)) return firstCharacters(visible, 6).trim() || null;
  return titleOfWords(words, words);
}

/** The language is detected in the whole text, of which `text` may be a part. */
function titleOfWords(text: string, whole: string): string {
  return isDense(whole) ? denseTitle(text) : spacedTitle(text, detectLanguage(whole));
}

/** A title that starts where a prompt differs from another prompt with the same title. */
function titleFromDifference(prompt: string, other: string | undefined): string[] {
  if (other === undefined || other === prompt) return [];
  const [mine, theirs] = [prompt, other].map((text) => withoutPictographs(readable(text)));
  if (mine === undefined || theirs === undefined) return [];
  const dense = isDense(mine);
  const between = dense ? "" : " ";
  const [words, theirWords] = dense
    ? [charactersOf(mine), charactersOf(theirs)]
    : [mine.split(between), theirs.split(between)];
  const at = words.findIndex((word, index) => word !== theirWords[index]);
  // Keep up to two preceding words as context.
  const rest = words.slice(Math.max(0, at - 2)).join(between);
  return at > 0 && /[\p{L}\p{N}]/u.test(rest) ? [titleOfWords(rest, mine)] : [];
}

/** Removes quotation marks and invisible characters; collapses spaces and line breaks. */
function readable(text: string): string {
  return (
    withoutSingleQuotes(text.normalize("NFC"))
      .replaceAll(/["“”„«»‹›]/gu, "")
      .replaceAll(/(?![\n\u200C\u200D])\p{C}/gu, (found) => (/\s/u.test(found) ? " " : ""))
      .replaceAll(/[^\S\n]+/gu, " ")
      // Collapse spaces first: a pattern with variable length on both sides would backtrack
      // quadratically.
      .replaceAll(/ ?\n[ \n]*/gu, "\n")
      .trim()
  );
}

/** Removes paired single quotation marks and keeps apostrophes. */
function withoutSingleQuotes(text: string): string {
  if (!/['‘’‚]/u.test(text)) return text;
  const isLetter = (character: string) => /[\p{L}\p{N}]/u.test(character);
  const characters = Array.from(text);
  let opening: number | null = null;
  for (const [index, character] of characters.entries()) {
    if (!/['‘’‚]/u.test(character)) continue;
    const [before = " ", after = " "] = [characters[index - 1], characters[index + 1]];
    if (opening !== null && !isLetter(after) && before !== " ") {
      characters[opening] = "";
      characters[index] = "";
      opening = null;
    } else if (!isLetter(before) && after !== " ") {
      opening = index;
    }
  }
  return characters.join("");
}

function withoutPictographs(text: string): string {
  const pictograph =
    /(?:\p{Extended_Pictographic}|\p{Regional_Indicator})(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*/gu;
  return text
    .replaceAll(pictograph, " ")
    .replaceAll(/[^\S\n]+/gu, " ")
    .trim();
}
