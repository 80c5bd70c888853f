import * as z from "zod";

/** One message of the conversation, in the vendor's format. */
export interface Content {
  readonly [field: string]: unknown;
  readonly role?: unknown;
  readonly parts: readonly object[];
}

const turnSchema = z.object({
  provider: z.literal("gemini"),
  /** Signatures are only valid for the model that created them. */
  model: z.string(),
  contents: z.array(z.looseObject({ parts: z.array(z.looseObject({})) })),
});

/**
 * Maximum request length in characters of JSON. The vendor accepts 20 MB on all platforms (100 MB
 * according to its newer documentation).
 */
const maxRequestLength = 20_000_000;
/** Maximum length of a stored conversation; leaves room for the references of the next image. */
const maxTurnsLength = 12_000_000;
/** Upper bound for the prompt, reference descriptions and settings of a request. */
const maxWordsLength = 1_000_000;

/**
 * Earlier messages from the turn of the previous image; empty if it came from another model or if
 * its last exchange exceeds the limit by itself.
 */
export function findTurns(previousTurn: unknown, model: string): readonly Content[] {
  const parsed = turnSchema.safeParse(previousTurn);
  return parsed.success && parsed.data.model === model ? newest(parsed.data.contents) : [];
}

/** Space left in a request beside the turns and the text, in characters. */
export function roomBeside(turns: readonly Content[]): number {
  return maxRequestLength - maxWordsLength - JSON.stringify(turns).length;
}

/**
 * The state after an image: the earlier messages, the prompt, and the model's content unchanged,
 * including thoughts and signatures. References are not stored; each request sends those it needs.
 * When the state exceeds the limit, the oldest exchanges are dropped, always prompt and response
 * together. If the last exchange exceeds it by itself, as a 4K image does, all are dropped and the
 * next image starts a new conversation.
 */
export function continueTurns(exchange: {
  readonly model: string;
  readonly turns: readonly Content[];
  readonly prompt: string;
  readonly content: { readonly [field: string]: unknown };
}): unknown {
  const { content, model, prompt, turns } = exchange;
  const contents = newest([...turns, { role: "user", parts: [{ text: prompt }] }, content]);
  return { provider: "gemini", model, contents };
}

/** The newest exchanges that fit the limit; empty if the last one exceeds it by itself. */
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
