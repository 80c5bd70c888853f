import type { Strictness } from "@atelier/schemas";
import * as z from "zod";
import type { ModerationText } from "../moderation-request.ts";
import { RemoteDown, gravest, type Classifier, type Finding } from "./classifier.ts";
import type { GuardDescription } from "./guard-description.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import type { Post } from "./post.ts";
import { readAnswer } from "./read-answer.ts";
import { toSmallDataUrl } from "./shrink-image.ts";
import { createVerdictCache } from "./verdict-cache.ts";

const answerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** Concurrent requests of this process to the server. */
const maxRequests = 8;

type Content =
  | string
  | readonly { readonly type: "image_url"; readonly image_url: { readonly url: string } }[];

interface Message {
  readonly role: string;
  readonly content: Content;
}

/**
 * A guard model behind OpenAI's `POST /chat/completions`, as vLLM, Ollama and others serve it.
 *
 * The texts of a request are judged together, as one text with their paths before them, so that a story
 * takes one request per image (and policy). When that is refused, halves of it are judged until the text
 * that is refused by itself is found, for the path of the refusal.
 */
export function createGuardClassifier(
  model: string,
  description: GuardDescription,
  post: Post,
): Classifier {
  const { policies, parameters, max_characters: maxCharacters } = description;
  const limited = limitConcurrency(maxRequests);
  const cache = createVerdictCache<Finding | null>();

  function send(
    messages: readonly Message[],
    policy: Policy | null,
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<Finding | null> {
    const read = (answer: unknown) => {
      const { choices } = answerSchema.parse(answer);
      const content = choices[0]?.message.content ?? "";
      return readAnswer(content, description, policy, strictness);
    };
    // The time of a request begins when it is its turn.
    return limited(() =>
      post("chat/completions", { model, messages, ...parameters }, read, signal),
    );
  }

  async function ask(
    text: string,
    policy: Policy | null,
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<Finding | null> {
    const key = [model, strictness, policy?.text ?? "", text];
    const known = cache.find(key);
    if (known !== undefined) return known;
    const fill = (part: string) =>
      part.replaceAll(/\{text\}|\{policy\}/g, (name) =>
        name === "{text}" ? text : (policy?.text ?? name),
      );
    const messages = description.messages.map(({ role, content }) => ({
      role,
      content: fill(content),
    }));
    const finding = await send(messages, policy, strictness, signal);
    cache.add(key, finding);
    return finding;
  }

  /** Judges texts as one, by all policies of the strictness. */
  async function judge(
    texts: readonly ModerationText[],
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<Finding | null> {
    const text = compose(texts);
    if (policies === undefined) return ask(text, null, strictness, signal);
    const applied = policies.filter(({ liberal }) => liberal || strictness === "normal");
    return abortRest(signal, async (either) => {
      const asked = applied.map((policy) => ask(text, policy, strictness, either));
      return gravest((await Promise.all(asked)).filter((finding) => finding !== null));
    });
  }

  /** The path of the text that is refused by itself, or the first of those that only are together. */
  async function locate(
    refused: readonly ModerationText[],
    strictness: Strictness,
    signal: AbortSignal,
  ): Promise<string> {
    let texts = refused;
    try {
      while (texts.length > 1) {
        const middle = Math.ceil(texts.length / 2);
        const first = texts.slice(0, middle);
        const second = texts.slice(middle);
        if ((await judge(first, strictness, signal)) !== null) texts = first;
        else if ((await judge(second, strictness, signal)) !== null) texts = second;
        else break;
      }
    } catch (error) {
      // The texts are refused already; only the path is less exact.
      if (!(error instanceof RemoteDown)) throw error;
    }
    return texts[0]?.path ?? "prompt";
  }

  return {
    name: model,
    async judgeTexts(texts, strictness, signal) {
      const groups = group(texts, maxCharacters);
      const judged = await abortRest(signal, (either) =>
        Promise.all(groups.map((members) => judge(members, strictness, either))),
      );
      const found = judged.flatMap((finding, index) =>
        finding === null ? [] : [{ ...finding, texts: groups[index] ?? [] }],
      );
      const worst = gravest(found);
      if (worst === null) return null;
      const { category, certainty } = worst;
      return { category, certainty, path: await locate(worst.texts, strictness, signal) };
    },
    judgeImage: description.sees_images
      ? async (image, strictness, signal) => {
          const url = await toSmallDataUrl(image);
          const content = [{ type: "image_url", image_url: { url } }] as const;
          return send([{ role: "user", content }], null, strictness, signal);
        }
      : null,
  };
}

type Policy = NonNullable<GuardDescription["policies"]>[number];

/** Joins texts, each after its path; a single text is left as it is. */
function compose(texts: readonly ModerationText[]): string {
  if (texts.length === 1) return texts[0]?.text ?? "";
  return texts.map(({ path, text }) => `${path}: ${text}`).join("\n\n");
}

/** Splits texts into groups of at most `maxCharacters`. A longer text is a group of its own. */
function group(
  texts: readonly ModerationText[],
  maxCharacters: number,
): readonly (readonly ModerationText[])[] {
  const groups: ModerationText[][] = [];
  let length = Infinity;
  for (const text of texts) {
    const added = text.path.length + text.text.length + 4;
    length += added;
    if (length > maxCharacters) {
      groups.push([]);
      length = added;
    }
    groups.at(-1)?.push(text);
  }
  return groups;
}

/** Aborts the requests of `work` that still run when it ends: after a failure, they are not needed. */
async function abortRest<Result>(
  signal: AbortSignal,
  work: (either: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  try {
    return await work(AbortSignal.any([signal, ended.signal]));
  } finally {
    ended.abort();
  }
}
