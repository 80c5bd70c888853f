import * as z from "zod";

/** One side's words and pictures, as the vendor's API has them. */
export interface Content {
  readonly [field: string]: unknown;
  readonly role?: unknown;
  readonly parts: readonly object[];
}

const turnSchema = z.object({
  provider: z.literal("gemini"),
  /** Signatures are the model's own: another one does not take them. */
  model: z.string(),
  contents: z.array(z.looseObject({ parts: z.array(z.looseObject({})) })),
});

/**
 * How long a request may be, in characters of JSON. The vendor takes 20 MB everywhere (100 MB by its
 * newer documentation).
 */
const maxRequestLength = 20_000_000;
/** How much of a conversation is kept: the references of the next image need room too. */
const maxTurnsLength = 12_000_000;
/** More than the prompt, the descriptions of references and the settings of a request can be. */
const maxWordsLength = 1_000_000;

/**
 * What was said before, by the turn of the image before; nothing if that came from another model, or
 * if its last exchange alone is too long.
 */
export function findTurns(previousTurn: unknown, model: string): readonly Content[] {
  const parsed = turnSchema.safeParse(previousTurn);
  return parsed.success && parsed.data.model === model ? newest(parsed.data.contents) : [];
}

/** What a request has room for beside the turns and the words, in characters. */
export function roomBeside(turns: readonly Content[]): number {
  return maxRequestLength - maxWordsLength - JSON.stringify(turns).length;
}

/**
 * The state after an image: what was said before, the prompt, and the model's content exactly as it
 * came, thoughts and signatures included. References are left out of what is kept; each image shows
 * those that it needs again. When it grows too long the oldest exchanges go, always both sides, and all
 * of them when the last one is too long by itself, as one in 4K is: the next image then begins anew.
 */
export function continueTurns(said: {
  readonly model: string;
  readonly turns: readonly Content[];
  readonly prompt: string;
  readonly content: { readonly [field: string]: unknown };
}): unknown {
  const { content, model, prompt, turns } = said;
  const contents = newest([...turns, { role: "user", parts: [{ text: prompt }] }, content]);
  return { provider: "gemini", model, contents };
}

/** The newest exchanges that are not too long together: none, when the last one is by itself. */
function newest<Side extends object>(contents: readonly Side[]): readonly Side[] {
  const lengths = contents.map((side) => JSON.stringify(side).length);
  let length = lengths.reduce((sum, next) => sum + next, 0);
  let first = 0;
  while (length > maxTurnsLength) {
    length -= (lengths[first] ?? 0) + (lengths[first + 1] ?? 0);
    first += 2;
  }
  return contents.slice(first);
}
