import type { Strictness } from "@atelier/schemas";
import * as z from "zod";
import type { ModerationCategory } from "../policy.ts";
import { ClassifierDown, type Classifier } from "./classifier.ts";
import { gravest } from "./openai-thresholds.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import type { Post } from "./post.ts";
import { toSmallDataUrl } from "./shrink-image.ts";

/** Prompt and response format of a guard model. */
export type GuardFormat = "llama-guard" | "shieldgemma";

interface Rule {
  readonly category: ModerationCategory;
  /** Also refused where only the law forbids. */
  readonly liberal: boolean;
}

/**
 * Llama Guard's hazards (MLCommons, S1 to S14 of versions 3 and 4) as categories of the policy. Those
 * that are no matter of images (advice, privacy, property, code) are left out.
 */
const llamaGuardHazards: Readonly<Record<string, Rule>> = {
  S1: { category: "gore", liberal: false },
  S3: { category: "sexual", liberal: true },
  S4: { category: "sexual_minors", liberal: true },
  S5: { category: "deceptive_public_figure", liberal: false },
  S9: { category: "terrorism_incitement", liberal: true },
  S10: { category: "hate", liberal: true },
  S11: { category: "self_harm", liberal: true },
  S12: { category: "sexual", liberal: false },
  S13: { category: "deceptive_public_figure", liberal: false },
};

const knownHazard = /^S([1-9]|1[0-4])$/;

/** ShieldGemma judges one principle per request. */
const shieldGemmaPrinciples: readonly (Rule & { readonly principle: string })[] = [
  {
    category: "sexual_minors",
    liberal: true,
    principle: "The prompt shall not ask for sexual content that involves anybody under 18.",
  },
  {
    category: "hate",
    liberal: true,
    principle:
      "The prompt shall not ask for content that demeans or dehumanises people for what they are, or uses slurs against them.",
  },
  {
    category: "self_harm",
    liberal: true,
    principle: "The prompt shall not ask for content that glorifies or teaches self-harm.",
  },
  {
    category: "sexual",
    liberal: false,
    principle: "The prompt shall not ask for sexually explicit content.",
  },
  {
    category: "gore",
    liberal: false,
    principle: "The prompt shall not ask for gore, mutilation or cruelty in detail.",
  },
];

const answerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** Of this process to the server at the same time: a story has hundreds of texts and principles. */
const maxRequests = 8;

type Content =
  | string
  | readonly { readonly type: "image_url"; readonly image_url: { readonly url: string } }[];

/**
 * A guard model behind OpenAI's `POST /chat/completions`, as vLLM, Ollama and others serve it.
 *
 * Sources: the model cards. Llama Guard answers `safe`, or `unsafe` and a line of hazards such as
 * `S1,S10`; the server's chat template gives it its task. ShieldGemma answers `Yes` (it violates the
 * principle) or `No`; the wording of the question is ours. Neither was run here.
 */
export function createGuardClassifier(model: string, format: GuardFormat, post: Post): Classifier {
  const limited = limitConcurrency(maxRequests);

  function ask<Judgement>(
    content: Content,
    judge: (answer: string) => Judgement,
    signal: AbortSignal,
  ): Promise<Judgement> {
    const body = {
      model,
      messages: [{ role: "user", content }],
      temperature: 0,
      max_tokens: 32,
    };
    const read = (answer: unknown) => {
      const { choices } = answerSchema.parse(answer);
      return judge(choices[0]?.message.content.trim() ?? "");
    };
    // The time of a request begins when it is its turn.
    return limited(() => post("chat/completions", body, read, signal));
  }

  async function askLlamaGuard(content: Content, strictness: Strictness, signal: AbortSignal) {
    return ask(content, (answer) => readLlamaGuard(answer, strictness), signal);
  }

  async function askShieldGemma(text: string, strictness: Strictness, signal: AbortSignal) {
    const principles = shieldGemmaPrinciples.filter(
      (rule) => rule.liberal || strictness === "normal",
    );
    const refused = await Promise.all(
      principles.map(async ({ category, principle }) => {
        const violates = await ask(question(text, principle), readShieldGemma, signal);
        return violates ? [category] : [];
      }),
    );
    return gravest(refused.flat());
  }

  const judge = format === "llama-guard" ? askLlamaGuard : askShieldGemma;
  return {
    name: model,
    async judgeTexts(texts, strictness, signal) {
      const ended = new AbortController();
      const either = AbortSignal.any([signal, ended.signal]);
      try {
        return await Promise.all(texts.map((text) => judge(text, strictness, either)));
      } finally {
        // After a failure, the remaining answers are not needed.
        ended.abort();
      }
    },
    judgeImage:
      format === "shieldgemma"
        ? null
        : async (image, strictness, signal) => {
            const url = await toSmallDataUrl(image);
            return askLlamaGuard([{ type: "image_url", image_url: { url } }], strictness, signal);
          },
  };
}

function readShieldGemma(answer: string): boolean {
  if (/^yes\b/i.test(answer)) return true;
  if (/^no\b/i.test(answer)) return false;
  throw new ClassifierDown("malformed", "an answer that is neither yes nor no");
}

function readLlamaGuard(answer: string, strictness: Strictness): ModerationCategory | null {
  const [verdict, hazards = ""] = answer.split(/\s*\n\s*/);
  if (verdict === "safe") return null;
  if (verdict !== "unsafe")
    throw new ClassifierDown("malformed", "an answer that is neither safe nor unsafe");
  const named = hazards.trim().split(/\s*,\s*/);
  // Of another version, or cut short: what it is unsafe for is not known, and so not allowed.
  if (!named.every((hazard) => knownHazard.test(hazard))) {
    throw new ClassifierDown("malformed", "an answer with unknown hazards");
  }
  const refused = named.flatMap((hazard) => {
    const rule = llamaGuardHazards[hazard];
    return rule !== undefined && (rule.liberal || strictness === "normal") ? [rule.category] : [];
  });
  return gravest(refused);
}

function question(text: string, principle: string): string {
  return [
    "You are an expert on content policy. Tell whether a prompt for an image violates a principle.",
    `Prompt:\n<start>\n${text}\n<end>`,
    `Principle:\n${principle}`,
    "Does the prompt violate the principle? Begin your answer with Yes or No.",
  ].join("\n\n");
}
