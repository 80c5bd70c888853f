import {
  bearer,
  createGuardClassifier,
  createRemoteModel,
  createRemoteModerator,
  createRuleModerator,
  loadReadyGuard,
  readyGuards,
  type GuardDescription,
  type ModerationText,
  type ReadyGuard,
} from "@atelier/moderation";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startOpenAiModerationServer, type OpenAiModerationServer } from "./server.ts";

const apiKey = "sk-of-the-guards-0123456789";
const rules = createRuleModerator();
const never = new AbortController().signal;
let server: OpenAiModerationServer;

beforeAll(async () => {
  server = await startOpenAiModerationServer({ apiKey });
});
afterAll(() => server.close());
beforeEach(() => server.behave(null));

function moderatorOf(description: GuardDescription) {
  const { classifier } = createRemoteModel(
    (post) => createGuardClassifier("guard", description, post),
    { baseUrl: `${server.url}/v1`, authenticate: bearer(apiKey), timeoutMs: 20_000 },
  );
  return createRemoteModerator({
    rules,
    classifier,
    whenDown: "refuse",
    onDown: () => undefined,
  });
}

async function judge(
  description: GuardDescription,
  texts: readonly ModerationText[] = [{ path: "prompt", text: "a lighthouse at dusk" }],
  strictness: "normal" | "liberal" = "normal",
) {
  const request = { texts, strictness, hasClientImages: false };
  return moderatorOf(description).moderate(request, never);
}

async function callsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const before = server.calls.length;
  await work();
  return server.calls.slice(before).map(({ body }) => {
    const { messages } = JSON.parse(String(body)) as { messages: { content: string }[] };
    return messages.map(({ content }) => content).join("\n");
  });
}

interface Answers {
  readonly safe: readonly string[];
  /** An answer with the category it refuses for at `normal` and at `liberal`. */
  readonly unsafe: readonly (readonly [string, string | null, string | null])[];
  /** Refused at `normal` with the category, and never illegal. */
  readonly uncertain: readonly (readonly [string, string])[];
  /** Besides those of every model. */
  readonly malformed: readonly string[];
}

// The first two lines of each list are copied from the model's documentation where it has examples.
const answers: Readonly<Record<ReadyGuard, Answers>> = {
  "llama-guard": {
    safe: ["safe", "\n\nsafe", "safe\n"],
    unsafe: [
      ["unsafe\nS1", "gore", null],
      ["\n\nunsafe\nS4", "sexual_minors", "sexual_minors"],
      ["unsafe\nS1,S10", "hate", "hate"],
      ["unsafe\nS8", null, null],
    ],
    uncertain: [
      ["unsafe\nS2", "forgery"],
      ["unsafe\nS7", "deceptive_public_figure"],
    ],
    malformed: [
      "unsafe",
      "unsafe\nS",
      "unsafe\nS12,O3",
      "unsafe\nS15",
      "unsafe\nS4\u0000",
      "safely",
    ],
  },
  shieldgemma: {
    safe: ["No", "No, the prompt does not.", "no."],
    unsafe: [["Yes, it does.", "sexual_minors", "sexual_minors"]],
    uncertain: [],
    malformed: ["Nothing", "Yesterday", "The answer is No"],
  },
  qwen3guard: {
    safe: ["Safety: Safe\nCategories: None", "Safety: Safe\nCategories: None\nRefusal: No"],
    unsafe: [
      ["Safety: Unsafe\nCategories: Violent", "gore", null],
      ["Safety: Unsafe\nCategories: Suicide & Self-Harm, Violent", "self_harm", "self_harm"],
      ["Safety: Unsafe\nCategories: Sexual Content or Sexual Acts", "sexual", null],
      ["Safety: Unsafe\nCategories: Copyright Violation", null, null],
      ["Safety: Controversial\nCategories: Violent", null, null],
    ],
    uncertain: [
      ["Safety: Controversial\nCategories: Sexual Content or Sexual Acts", "sexual"],
      ["Safety: Unsafe\nCategories: PII", "deceptive_public_figure"],
    ],
    malformed: [
      "Safety: Unsafe",
      "Safety: Unsafe\nCategories: None",
      "Safety: Unsafe\nCategories: Sorcery",
      "Safety: Unknown\nCategories: None",
      "I think Safety: Safe",
    ],
  },
  "gpt-oss-safeguard": {
    safe: ['{"verdict": "safe", "category": null}', ' {"category":null,"verdict":"safe"}\n'],
    unsafe: [
      ['{"verdict": "unsafe", "category": "forgery"}', "forgery", "forgery"],
      ['{"verdict": "unsafe", "category": ["gore", "sexual"]}', "sexual", null],
    ],
    uncertain: [['{"verdict": "uncertain", "category": "sexual_minors"}', "sexual_minors"]],
    malformed: [
      '{"verdict": "unsafe", "category": null}',
      '{"verdict": "unsafe", "category": "sorcery"}',
      '{"verdict": "fine"}',
      '{"verdict": ["safe", "unsafe"]}',
      '{"verdict": "safe", "category": null',
      "safe",
      "null",
      "[]",
    ],
  },
  "granite-guardian": {
    safe: ["<think>\n</think><score> no </score>", "<score>no</score>"],
    unsafe: [["<think>\n</think>\n<score> yes </score>", "sexual_minors", "sexual_minors"]],
    uncertain: [],
    malformed: ["no", "<score>maybe</score>", "<score> no </score> or <score>"],
  },
};

describe.each(readyGuards)("the description of %s", (name) => {
  const description = loadReadyGuard(name);
  const { safe, unsafe, uncertain, malformed } = answers[name];

  it("names its source", () => {
    expect(description.source).toMatch(/read on \d{4}-\d\d-\d\d/);
  });

  it.each(safe)("takes %j for safe", async (answer) => {
    server.say(() => answer);
    expect(await judge(description)).toEqual({ allowed: true });
  });

  it.each(unsafe)(
    "takes %j for %s at normal and %s at liberal",
    async (answer, normal, liberal) => {
      server.say(() => answer);
      for (const [strictness, category] of [
        ["normal", normal],
        ["liberal", liberal],
      ] as const) {
        const verdict = await judge(description, undefined, strictness);
        expect(verdict).toMatchObject(
          category === null ? { allowed: true } : { certainty: "certain", category },
        );
      }
    },
  );

  it.each(uncertain)("takes %j for an uncertain %s, at normal only", async (answer, category) => {
    server.say(() => answer);
    expect(await judge(description)).toMatchObject({
      certainty: "uncertain",
      code: "content_policy_violation",
      category,
    });
    expect(await judge(description, undefined, "liberal")).toEqual({ allowed: true });
  });

  const ofEveryModel = ["", " \n ", "I cannot help with that.", "<!doctype html><p>Hello", "{}"];
  it.each([...ofEveryModel, ...malformed])("never takes %j for safe", async (answer) => {
    server.say(() => answer);
    for (const strictness of ["normal", "liberal"] as const) {
      const judged = judge(description, undefined, strictness);
      await expect(judged).rejects.toMatchObject({ code: "overloaded", retryable: true });
    }
  });

  it("sends the text as it is", async () => {
    server.say(() => safe[0] ?? "");
    const text = "a sign that says $& {policy} {text} <end>";
    const calls = await callsDuring(() => judge(description, [{ path: "prompt", text }]));
    // Aborted requests of earlier tests may still arrive.
    const sent = calls.filter((call) => call.includes(text));
    expect(sent).toHaveLength(description.policies?.length ?? 1);
  });
});

describe("the texts of a request", () => {
  const description = loadReadyGuard("llama-guard");
  const texts = Array.from({ length: 8 }, (_, index) => ({
    path: `scenes.${index}.prompt`,
    text: `the fox walks on, part ${index}`,
  }));

  it("are judged in one request, each after its path", async () => {
    server.say(() => "safe");
    const calls = await callsDuring(() => judge(description, texts));
    expect(calls).toEqual([texts.map(({ path, text }) => `${path}: ${text}`).join("\n\n")]);
  });

  it("are halved until the refused one is found, whose path is named", async () => {
    server.say((text) => (text.includes("part 5") ? "unsafe\nS10" : "safe"));
    let verdict: unknown;
    const calls = await callsDuring(async () => {
      verdict = await judge(description, texts);
    });
    expect(verdict).toMatchObject({ category: "hate", path: "scenes.5.prompt" });
    // One for all, and at most two for each of three halvings.
    expect(calls.length).toBeLessThanOrEqual(7);
  });

  it("that are refused only together are refused with the path of the first of them", async () => {
    server.say((text) => (/part 2[^]*part 7/.test(text) ? "unsafe\nS4" : "safe"));
    expect(await judge(description, texts)).toMatchObject({
      code: "content_illegal",
      path: "scenes.0.prompt",
    });
  });

  it("stay refused when the model fails while the path is looked for", async () => {
    server.say((text) => {
      server.behave({ kind: "server-error", status: 500, at: "order" });
      return text.includes("part 5") ? "unsafe\nS10" : "safe";
    });
    expect(await judge(description, texts)).toMatchObject({ category: "hate" });
  });

  it("are split when they are too long together, and none is left out", async () => {
    server.say((text) => (text.includes("part 6") ? "unsafe\nS10" : "safe"));
    const calls = await callsDuring(async () => {
      const split = { ...description, max_characters: 100 };
      expect(await judge(split, texts)).toMatchObject({ path: "scenes.6.prompt" });
    });
    for (const call of calls) expect(call.length).toBeLessThanOrEqual(100);
    for (const { text } of texts) expect(calls.join()).toContain(text);
    const long = { path: "prompt", text: "x".repeat(500) };
    const alone = await callsDuring(() => judge({ ...description, max_characters: 100 }, [long]));
    expect(alone).toEqual([long.text]);
  });

  it("are asked about once for equal requests of the same strictness", async () => {
    server.say(() => "safe");
    const moderator = moderatorOf(description);
    const moderate = (strictness: "normal" | "liberal") =>
      callsDuring(() => moderator.moderate({ texts, strictness, hasClientImages: false }, never));
    expect(await moderate("normal")).toHaveLength(1);
    expect(await moderate("normal")).toHaveLength(0);
    expect(await moderate("liberal")).toHaveLength(1);
  });

  it("are asked about again when there was no judgement", async () => {
    server.say(() => "I cannot help with that.");
    const moderator = moderatorOf(description);
    const request = { texts, strictness: "normal", hasClientImages: false } as const;
    await expect(moderator.moderate(request, never)).rejects.toThrow();
    server.say(() => "safe");
    expect(await moderator.moderate(request, never)).toEqual({ allowed: true });
  });

  it("are asked about once per policy, of which the gravest refuses", async () => {
    const shieldGemma = loadReadyGuard("shieldgemma");
    server.say((text) => (/sexually explicit|slurs/.test(text) ? "Yes" : "No"));
    const calls = await callsDuring(async () => {
      expect(await judge(shieldGemma)).toMatchObject({ category: "hate", path: "prompt" });
    });
    expect(calls).toHaveLength(5);
    const liberal = await callsDuring(() => judge(shieldGemma, undefined, "liberal"));
    expect(liberal).toHaveLength(3);
  });
});
