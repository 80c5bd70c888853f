import type { StoryRequest } from "@atelier/schemas";
import { detectLanguage } from "./languages.ts";
import { charactersOf, denseTitle, firstCharacters, isDense } from "./title-dense.ts";
import { spacedTitle } from "./title-spaced.ts";

/** The title of a story: from its overall prompt, else its setting, else its first scene. */
export function storyTitle(request: StoryRequest): string {
  const text = request.prompt ?? request.setting ?? request.scenes[0]?.prompt ?? "";
  return titleOf(text) ?? "Story";
}

/** A title for each scene, in order; prompts that differ get titles that differ. */
export function sceneTitles(prompts: readonly string[]): string[] {
  const promptOf = new Map<string, string>();
  return prompts.map((prompt, index) => {
    const title = titleOf(prompt) ?? `Scene ${index + 1}`;
    const candidates = [title, ...tellingApart(prompt, promptOf.get(title))];
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
 * A short title for a text, of its own words and in its language.
 *
 * @returns null for a text with nothing in it to see.
 */
export function titleOf(text: string): string | null {
  const visible = readable(text);
  const words = withoutPictographs(visible);
  if (!/[\p{L}\p{N}]/u.test(words)) return firstCharacters(visible, 6).trim() || null;
  return titleOfWords(words, words);
}

/** The language is judged by the whole, of which the text may be a part. */
function titleOfWords(text: string, whole: string): string {
  return isDense(whole) ? denseTitle(text) : spacedTitle(text, detectLanguage(whole));
}

/** A title from where a prompt begins to differ from another that got the same title. */
function tellingApart(prompt: string, other: string | undefined): string[] {
  if (other === undefined) return [];
  const [mine, theirs] = [prompt, other].map((text) => withoutPictographs(readable(text)));
  if (mine === undefined || theirs === undefined) return [];
  const dense = isDense(mine);
  const between = dense ? "" : " ";
  const [words, theirWords] = dense
    ? [charactersOf(mine), charactersOf(theirs)]
    : [mine.split(between), theirs.split(between)];
  const at = words.findIndex((word, index) => word !== theirWords[index]);
  // A little of what stands before says what the difference is about.
  const rest = words.slice(Math.max(0, at - 2)).join(between);
  return at > 0 && /[\p{L}\p{N}]/u.test(rest) ? [titleOfWords(rest, mine)] : [];
}

/** Without quotation marks and characters that show nothing; spaces and lines are single. */
function readable(text: string): string {
  return (
    text
      .normalize("NFC")
      .replaceAll(/["“”„«»‹›]/gu, "")
      .replaceAll(/(?![\n\u200C\u200D])\p{C}/gu, (found) => (/\s/u.test(found) ? " " : ""))
      .replaceAll(/[^\S\n]+/gu, " ")
      // With single spaces: what may be long on both sides of a break is looked at again and again.
      .replaceAll(/ ?\n[ \n]*/gu, "\n")
      .trim()
  );
}

function withoutPictographs(text: string): string {
  const pictograph =
    /(?:\p{Extended_Pictographic}|\p{Regional_Indicator})(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*/gu;
  return text
    .replaceAll(pictograph, " ")
    .replaceAll(/[^\S\n]+/gu, " ")
    .trim();
}
