import {
  bearer,
  createGuardClassifier,
  createOpenAiClassifier,
  createRemoteModel,
  createRemoteModerator,
  createRuleModerator,
  loadReadyGuard,
  type Classifier,
  type ModerationText,
  type Moderator,
  type Post,
  type ReadyGuard,
  type RemoteModeratorOptions,
} from "@atelier/moderation";
import { AppError } from "@atelier/schemas";
import OpenAI from "openai";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "@atelier/models/testing";
import { startOpenAiModerationServer, type OpenAiModerationServer } from "./server.ts";

const apiKey = "sk-canary-of-moderation-0123456789";
let server: OpenAiModerationServer;
let image: Uint8Array;
const rules = createRuleModerator();

beforeAll(async () => {
  server = await startOpenAiModerationServer({ apiKey });
  const create = { width: 2000, height: 1200, channels: 3, background: "#456" } as const;
  image = await sharp({ create }).png().toBuffer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.behave(null);
  server.score(() => ({}));
  server.say(() => "safe");
});

const connect = (create: (post: Post) => Classifier, timeoutMs = 20_000) =>
  createRemoteModel(create, {
    baseUrl: `${server.url}/v1`,
    authenticate: bearer(apiKey),
    timeoutMs,
  });
const openAi = (timeoutMs?: number) =>
  connect((post) => createOpenAiClassifier("omni-moderation-latest", post), timeoutMs).classifier;
const guard = (format: ReadyGuard) =>
  connect((post) => createGuardClassifier("guard", loadReadyGuard(format), post)).classifier;

function moderatorOf(classifier: Classifier, options: Partial<RemoteModeratorOptions> = {}) {
  return createRemoteModerator({
    rules,
    classifier,
    whenDown: "refuse",
    onDown: () => undefined,
    ...options,
  });
}

const never = new AbortController().signal;
const prompt = { path: "prompt", text: "a lighthouse at dusk" };
const ask = (
  classifier: Classifier,
  strictness: "normal" | "liberal",
  texts: readonly ModerationText[] = [prompt],
) => moderatorOf(classifier).moderate({ texts, strictness, hasClientImages: false }, never);

describe("the server", () => {
  it("works with the vendor's own client", async () => {
    const client = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
    server.score((text) => (text.includes("knife") ? { violence: 0.7 } : {}));
    const moderation = await client.moderations.create({
      model: "omni-moderation-latest",
      input: ["a knife", "a spoon"],
    });
    expect(moderation.results.map(({ flagged }) => flagged)).toEqual([true, false]);
    expect(moderation.results[0]?.category_scores.violence).toBe(0.7);
    expect(moderation.results[0]?.category_applied_input_types.violence).toEqual(["text"]);

    const response = await client.moderations.create({
      input: [
        { type: "text", text: "what is this" },
        {
          type: "image_url",
          image_url: { url: `data:image/png;base64,${Buffer.from(image).toString("base64")}` },
        },
      ],
    });
    expect(response.results).toHaveLength(1);
    expect(response.results[0]?.category_applied_input_types["sexual/minors"]).toEqual([]);

    server.say(() => "unsafe\nS12");
    const completion = await client.chat.completions.create({
      model: "guard",
      messages: [{ role: "user", content: "hello" }],
    });
    expect(completion.choices[0]?.message.content).toBe("unsafe\nS12");

    const wrong = new OpenAI({ apiKey: "sk-wrong", baseURL: `${server.url}/v1`, maxRetries: 0 });
    await expect(wrong.moderations.create({ input: "a" })).rejects.toThrow(
      OpenAI.AuthenticationError,
    );
  });
});

describe("OpenAI's moderation, on top of the rules", () => {
  it.each([
    ["sexual", 0.6, "content_policy_violation", "sexual", true],
    ["sexual", 0.4, null, null, true],
    ["violence/graphic", 0.7, "content_policy_violation", "gore", true],
    ["violence", 1, null, null, true],
    ["hate", 0.6, "content_policy_violation", "hate", true],
    ["hate", 0.9, "content_policy_violation", "hate", false],
    ["self-harm/instructions", 0.5, "content_policy_violation", "self_harm", false],
    ["sexual/minors", 0.4, "content_illegal", "sexual_minors", false],
    ["illicit/violent", 0.95, "content_illegal", "terrorism_incitement", false],
  ] as const)("makes of %s %f: %s %s", async (category, score, code, refused, normalOnly) => {
    server.score(() => ({ [category]: score }));
    const refusal = { allowed: false, code, category: refused, path: "prompt" };
    expect(await ask(openAi(), "normal")).toMatchObject(
      code === null ? { allowed: true } : refusal,
    );
    expect(await ask(openAi(), "liberal")).toMatchObject(
      code === null || normalOnly ? { allowed: true } : refusal,
    );
  });

  it("sends each distinct text once and reports the path of the most severe one", async () => {
    server.score((text) => {
      if (text.includes("second")) return { sexual: 0.9 };
      return text.includes("third") ? { "sexual/minors": 0.9 } : {};
    });
    const before = server.calls.length;
    const texts = ["a first", "a second", "a third", "a first"].map((text, index) => ({
      path: `scenes.${index}.prompt`,
      text,
    }));
    expect(await ask(openAi(), "normal", texts)).toMatchObject({ path: "scenes.2.prompt" });
    const [call, ...more] = server.calls.slice(before);
    expect(more).toEqual([]);
    expect(JSON.parse(call?.body.toString() ?? "")).toEqual({
      model: "omni-moderation-latest",
      input: ["a first", "a second", "a third"],
    });
  });

  it("is asked only about texts that it has not judged at the same strictness", async () => {
    server.score((text) => (text === "a second" ? { sexual: 0.9 } : {}));
    const moderator = moderatorOf(openAi());
    const askFor = async (strictness: "normal" | "liberal", ...texts: readonly string[]) => {
      const before = server.calls.length;
      const verdict = await moderator.moderate(
        {
          texts: texts.map((text, index) => ({ path: `scenes.${index}.prompt`, text })),
          strictness,
          hasClientImages: false,
        },
        never,
      );
      const sent = server.calls
        .slice(before)
        .map(({ body }) => (JSON.parse(String(body)) as { input: unknown }).input);
      return { allowed: verdict.allowed, sent };
    };
    expect(await askFor("normal", "a first")).toEqual({ allowed: true, sent: [["a first"]] });
    expect(await askFor("normal", "a first", "a second")).toEqual({
      allowed: false,
      sent: [["a second"]],
    });
    expect(await askFor("normal", "a second")).toEqual({ allowed: false, sent: [] });
    expect(await askFor("liberal", "a second")).toEqual({ allowed: true, sent: [["a second"]] });
  });

  it("is not called for texts that the rules refuse with certainty", async () => {
    const before = server.calls.length;
    const texts = [{ path: "prompt", text: "hardcore porn, explicit sex" }];
    expect(await ask(openAi(), "normal", texts)).toMatchObject({ allowed: false });
    expect(server.calls).toHaveLength(before);
  });

  it("judges generated images, scaled down first", async () => {
    server.score((text) => (text === "image" ? { sexual: 0.9 } : {}));
    const moderator = moderatorOf(openAi());
    expect(moderator.name).toBe("rules-3+omni-moderation-latest");
    expect(await moderator.moderateImage(image, "normal", never)).toMatchObject({
      allowed: false,
      code: "content_policy_violation",
      category: "sexual",
      path: "image",
    });
    expect(await moderator.moderateImage(image, "liberal", never)).toEqual({ allowed: true });
    const sent = JSON.parse(server.calls.at(-1)?.body.toString() ?? "") as {
      input: { image_url: { url: string } }[];
    };
    const [, data = ""] = sent.input[0]?.image_url.url.split(",") ?? [];
    expect(await sharp(Buffer.from(data, "base64")).metadata()).toMatchObject({
      format: "jpeg",
      width: 1024,
      height: 614,
    });
  });
});

describe("an uncertain match of the rules", () => {
  const uncertain = {
    allowed: false,
    certainty: "uncertain",
    code: "content_policy_violation",
    category: "sexual_minors",
    path: "scenes.0.prompt",
    quoted: [{ written: "stripped", readAs: "strip" }],
  } as const;
  const doubtful: Moderator = { name: "doubtful-rules", moderate: async () => uncertain };
  const texts = [{ path: "scenes.0.prompt", text: "a boy in a stripped shirt" }];
  const decide = (
    classifier: Classifier,
    options: Partial<RemoteModeratorOptions> = {},
    strictness: "normal" | "liberal" = "normal",
  ) =>
    moderatorOf(classifier, { rules: doubtful, ...options }).moderate(
      { texts, strictness, hasClientImages: false },
      never,
    );

  it("is allowed when the model says that the texts are safe", async () => {
    expect(await decide(openAi())).toEqual({ allowed: true });
    expect(await decide(guard("llama-guard"))).toEqual({ allowed: true });
    server.say(() => "No.");
    expect(await decide(guard("shieldgemma"))).toEqual({ allowed: true });
  });

  it.each([
    ["a negative prompt", { texts: [...texts, { path: "negative_prompt", text: "clothes" }] }],
    ["an image of the client", { hasClientImages: true }],
  ])("stands when it may rest on %s, which the model does not see", async (_, changes) => {
    const realPerson = { ...uncertain, category: "real_person_sexual" } as const;
    const aboutPerson: Moderator = { name: "doubtful-rules", moderate: async () => realPerson };
    const request = { texts, strictness: "normal", hasClientImages: false, ...changes } as const;
    expect(await moderatorOf(openAi(), { rules: aboutPerson }).moderate(request, never)).toEqual(
      realPerson,
    );
  });

  it("is certain and illegal when the model finds a category of the legal floor", async () => {
    const illegal = {
      allowed: false,
      certainty: "certain",
      code: "content_illegal",
      category: "sexual_minors",
      path: "scenes.0.prompt",
      quoted: [],
    };
    server.score(() => ({ "sexual/minors": 0.9 }));
    expect(await decide(openAi())).toEqual(illegal);
    server.say(() => "unsafe\nS4");
    expect(await decide(guard("llama-guard"), {}, "liberal")).toEqual(illegal);
  });

  it("is a certain violation of the policy when the model finds another category", async () => {
    server.score(() => ({ "violence/graphic": 0.9 }));
    expect(await decide(openAi())).toMatchObject({
      certainty: "certain",
      code: "content_policy_violation",
      category: "gore",
    });
  });

  it("is refused as without a model at liberal when the model finds what only normal refuses", async () => {
    server.score(() => ({ sexual: 0.9 }));
    expect(await decide(openAi(), {}, "liberal")).toEqual(uncertain);
    server.say(() => "Safety: Unsafe\nCategories: Sexual Content or Sexual Acts");
    expect(await decide(guard("qwen3guard"), {}, "liberal")).toEqual(uncertain);
  });

  it("is refused as without a model when the model is uncertain, too", async () => {
    server.say(() => "Safety: Controversial\nCategories: Sexual Content or Sexual Acts");
    expect(await decide(guard("qwen3guard"))).toEqual(uncertain);
    server.say(() => "unsafe\nS2");
    expect(await decide(guard("llama-guard"))).toEqual(uncertain);
  });

  it.each(["refuse", "allow"] as const)(
    "is refused as without a model while the model is down, with MODERATION_WHEN_DOWN=%s",
    async (whenDown) => {
      server.behave({ kind: "server-error", status: 503, at: "order" });
      const downErrors: Error[] = [];
      const onDown = (error: Error) => downErrors.push(error);
      expect(await decide(openAi(), { whenDown, onDown })).toEqual(uncertain);
      expect(downErrors).toHaveLength(1);
    },
  );

  it("stops with the caller's reason when the caller aborts", async () => {
    server.behave({ kind: "hang", at: "order" });
    const stop = new AbortController();
    const moderator = moderatorOf(openAi(), { rules: doubtful });
    const request = { texts, strictness: "normal", hasClientImages: false } as const;
    const judging = moderator.moderate(request, stop.signal);
    stop.abort(new Error("the render has ended"));
    await expect(judging).rejects.toThrow("the render has ended");
  });
});

describe("a guard model", () => {
  it.each([
    ["safe", null, null],
    ["unsafe\nS12", "sexual", null],
    ["unsafe\nS1,S10", "hate", "hate"],
    ["unsafe\nS4", "sexual_minors", "sexual_minors"],
    ["unsafe\nS8", null, null],
  ])("of Llama Guard's kind that says %j refuses %s, or %s if liberal", async (said, a, b) => {
    server.say(() => said);
    for (const [strictness, category] of [
      ["normal", a],
      ["liberal", b],
    ] as const) {
      const verdict = await ask(guard("llama-guard"), strictness);
      expect(verdict.allowed ? null : verdict.category).toBe(category);
    }
  });

  it.each(["unsafe", "unsafe\nS", "unsafe\nS12,O3", "unsafe\nS15"])(
    "of Llama Guard's kind that says %j, for no reason that is known, is down",
    async (said) => {
      server.say(() => said);
      await expect(ask(guard("llama-guard"), "normal")).rejects.toMatchObject({
        code: "overloaded",
      });
    },
  );

  it("judges images too when it is Llama Guard", async () => {
    server.say((text) => (text === "image" ? "unsafe\nS12" : "safe"));
    const verdict = await moderatorOf(guard("llama-guard")).moderateImage(image, "normal", never);
    expect(verdict).toMatchObject({ allowed: false, category: "sexual", path: "image" });
  });

  it("gets one request per principle when it is ShieldGemma", async () => {
    server.say((text) => (text.includes("sexually explicit") ? "Yes, it does." : "No."));
    expect(await ask(guard("shieldgemma"), "normal")).toMatchObject({ category: "sexual" });
    expect(await ask(guard("shieldgemma"), "liberal")).toEqual({ allowed: true });
  });

  it.each(["llama-guard", "shieldgemma"] as const)(
    "of %s's kind that rambles is down",
    async (format) => {
      server.say(() => "I cannot help with that.");
      await expect(ask(guard(format), "normal")).rejects.toMatchObject({ code: "overloaded" });
    },
  );
});

describe("a classifier that is down", () => {
  const faults: readonly Fault[] = [
    { kind: "server-error", status: 500, at: "order" },
    { kind: "rate-limit", retryAfter: "1" },
    { kind: "hang", at: "order" },
    { kind: "hang-in-body", at: "order" },
    { kind: "cut-short", at: "order" },
    { kind: "not-json" },
    { kind: "endless" },
    { kind: "redirect", to: "https://example.com/" },
  ];

  it.each(faults)(
    "($kind) refuses, to be tried again, and tells no key and no text",
    async (fault) => {
      server.behave(fault);
      const downErrors: Error[] = [];
      const moderator = moderatorOf(openAi(fault.kind.startsWith("hang") ? 50 : 20_000), {
        onDown: (error) => downErrors.push(error),
      });
      const texts = [{ path: "prompt", text: "a canary in a cage" }];
      const request = { texts, strictness: "normal", hasClientImages: false } as const;
      const error = await moderator.moderate(request, never).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AppError);
      const code = fault.kind === "redirect" ? "internal_error" : "overloaded";
      expect(error).toMatchObject({ code, retryable: true });
      expect(downErrors).toHaveLength(1);
      const written = String((error as Error).stack) + String(downErrors[0]?.stack);
      expect(written).not.toContain(apiKey);
      expect(written).not.toContain("canary in a cage");
    },
  );

  it("counts as down when a response has no scores", async () => {
    server.score(() => null);
    await expect(ask(openAi(), "liberal")).rejects.toMatchObject({ code: "overloaded" });
    const judged = moderatorOf(openAi()).moderateImage(image, "liberal", never);
    await expect(judged).rejects.toMatchObject({ code: "overloaded" });
  });

  it("falls back to the rules when the operator allows it", async () => {
    server.behave({ kind: "server-error", status: 503, at: "order" });
    const moderator = moderatorOf(openAi(), { whenDown: "allow" });
    const request = { texts: [prompt], strictness: "normal", hasClientImages: false } as const;
    expect(await moderator.moderate(request, never)).toEqual({ allowed: true });
    expect(await moderator.moderateImage(image, "normal", never)).toEqual({ allowed: true });
  });

  it.each([
    ["a response that is not understood", { kind: "not-json" }],
    ["a text that the server rejects", { kind: "server-error", status: 400, at: "order" }],
  ] as const)("does not fall back to the rules for %s", async (_, fault) => {
    server.behave(fault);
    const moderator = moderatorOf(openAi(), { whenDown: "allow" });
    const request = { texts: [prompt], strictness: "normal", hasClientImages: false } as const;
    await expect(moderator.moderate(request, never)).rejects.toMatchObject({
      code: "overloaded",
      retryable: true,
      message: expect.stringContaining("reword or shorten the request") as string,
    });
  });

  it("is not reported as failed when the caller aborts", async () => {
    server.behave({ kind: "hang", at: "order" });
    const stop = new AbortController();
    const request = { texts: [prompt], strictness: "normal", hasClientImages: false } as const;
    const judging = moderatorOf(openAi()).moderate(request, stop.signal);
    stop.abort(new Error("the render has ended"));
    await expect(judging).rejects.toThrow("the render has ended");
  });
});
