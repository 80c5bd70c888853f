import { setImmediate as nextTurn } from "node:timers/promises";
import type { ModerationRequest, ModerationText, ModerationVerdict } from "./moderation-request.ts";

/** Judges the texts of a request by themselves and together, without composed prompts. */
type Judge = (request: ModerationRequest) => ModerationVerdict | Promise<ModerationVerdict>;

/**
 * Judges the client's texts together, and then each composed prompt. A composed prompt contains texts
 * that were allowed, in new surroundings: a match in it is uncertain, and names the client's fields.
 *
 * Each call of `judge` gets a part of the request of at most the length of one prompt, or of all texts
 * of the client. Other work of the process runs between the parts.
 *
 * @returns the refusal of the client's texts, or else the first one of a composed prompt.
 */
export async function judgeInParts(
  judge: Judge,
  { texts, ...request }: ModerationRequest,
  signal: AbortSignal,
): Promise<ModerationVerdict> {
  const own = texts.filter(({ composedOf }) => composedOf === undefined);
  const verdict = await judge({ ...request, texts: own });
  if (!verdict.allowed) return verdict;
  for (const { path, text, composedOf } of texts) {
    if (composedOf === undefined) continue;
    await nextTurn();
    signal.throwIfAborted();
    const found = await judge({ ...request, texts: [{ path, text, composedOf }] });
    if (!found.allowed) return { ...found, ...acrossFields(found, path, composedOf, own) };
  }
  return verdict;
}

type Refusal = Extract<ModerationVerdict, { readonly allowed: false }>;

/** How a match in a composed prompt is reported: at the fields with its words, or else at all of them. */
function acrossFields(
  { quoted }: Refusal,
  path: string,
  composedOf: readonly string[],
  own: readonly ModerationText[],
): Pick<Refusal, "certainty" | "code" | "path" | "otherPaths"> {
  const paths = [path, ...composedOf.filter((other) => other !== path)];
  const words = quoted.map(({ written }) => oneLine(written));
  const pathsWithWords = new Set(
    own.flatMap((one) => {
      if (!paths.includes(one.path)) return [];
      const line = oneLine(one.text);
      return words.some((word) => line.includes(word)) ? [one.path] : [];
    }),
  );
  const withWords = paths.filter((one) => pathsWithWords.has(one));
  const [first = path, ...otherPaths] = withWords.length > 0 ? withWords : paths;
  return { certainty: "uncertain", code: "content_policy_violation", path: first, otherPaths };
}

/** Composed prompts join the lines of the client's texts. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/gu, " ");
}
