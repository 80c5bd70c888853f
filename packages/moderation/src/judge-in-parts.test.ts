import { expect, it } from "vitest";
import { judgeInParts } from "./judge-in-parts.ts";
import type { ModerationRequest, ModerationText, ModerationVerdict } from "./moderation-request.ts";
import { createRuleModerator } from "./moderator.ts";

const { signal } = new AbortController();
const character = { path: "characters.0.description", text: "a girl with red hair" };
const scene = { path: "scenes.0.prompt", text: "she finds a bra\nin a drawer" };
const prompt = {
  path: scene.path,
  text: "she finds a bra\nin a drawer.\nCharacter (Mira): a girl with red hair.",
  composedOf: [scene.path, character.path],
};

type Refusal = Extract<ModerationVerdict, { readonly allowed: false }>;

const certain: Refusal = {
  allowed: false,
  certainty: "certain",
  code: "content_illegal",
  category: "sexual_minors",
  path: scene.path,
  quoted: [],
};

/** A judge that refuses some texts and allows all others. */
function judgeOf(refuse: (text: ModerationText) => Refusal | undefined) {
  const parts: ModerationRequest[] = [];
  const judge = (request: ModerationRequest): ModerationVerdict => {
    parts.push(request);
    return request.texts.map(refuse).find((found) => found !== undefined) ?? { allowed: true };
  };
  const judgeAll = (texts: readonly ModerationText[]) =>
    judgeInParts(judge, { texts, strictness: "normal", hasClientImages: true }, signal);
  return { judgeAll, parts };
}

it("judges the client's texts together, and then each composed prompt by itself", async () => {
  const { judgeAll, parts } = judgeOf(() => undefined);
  expect(await judgeAll([character, prompt, scene])).toEqual({ allowed: true });
  expect(parts).toEqual([
    { texts: [character, scene], strictness: "normal", hasClientImages: true },
    { texts: [prompt], strictness: "normal", hasClientImages: true },
  ]);
});

it("keeps the verdict on a text of the client", async () => {
  const { judgeAll } = judgeOf(({ path }) => (path === scene.path ? certain : undefined));
  expect(await judgeAll([character, scene, prompt])).toEqual(certain);
});

it("reports a match in a composed prompt alone as uncertain, with the fields it is made of", async () => {
  const { judgeAll } = judgeOf(({ text }) => (text === prompt.text ? certain : undefined));
  expect(await judgeAll([character, scene, prompt])).toEqual({
    ...certain,
    certainty: "uncertain",
    code: "content_policy_violation",
    path: scene.path,
    otherPaths: [character.path],
  });
});

it("names the fields with the quoted words", async () => {
  const quoted = [{ written: "a girl", readAs: null }];
  const { judgeAll } = judgeOf(({ text }) =>
    text === prompt.text ? { ...certain, certainty: "uncertain", quoted } : undefined,
  );
  expect(await judgeAll([character, scene, prompt])).toMatchObject({
    path: character.path,
    otherPaths: [],
  });
});

it("folds each quoted word and each text once, however many fields a prompt is made of", async () => {
  let folded = 0;
  const words = {
    readAs: null,
    get written() {
      folded += 1;
      return "absent";
    },
  };
  const fields = Array.from({ length: 20 }, (_, index) => ({
    path: `scenes.${index}.prompt`,
    text: `scene ${index}`,
  }));
  const composed = { ...prompt, composedOf: fields.map(({ path }) => path) };
  const { judgeAll } = judgeOf(({ text }) =>
    text === composed.text ? { ...certain, certainty: "uncertain", quoted: [words] } : undefined,
  );
  const verdict = await judgeAll([...fields, composed]);
  expect(verdict).toMatchObject({ allowed: false, path: scene.path });
  expect(folded).toBe(1);
});

it("lets other work run between the parts, and stops when it is aborted", async () => {
  const stopping = new AbortController();
  const judged: ModerationRequest[] = [];
  const judge = (request: ModerationRequest): ModerationVerdict => {
    judged.push(request);
    return { allowed: true };
  };
  setImmediate(() => stopping.abort(new Error("stopped")));
  const texts = [scene, ...Array.from({ length: 9 }, () => prompt)];
  const judging = judgeInParts(
    judge,
    { texts, strictness: "normal", hasClientImages: false },
    stopping.signal,
  );
  await expect(judging).rejects.toThrow("stopped");
  expect(judged.length).toBeLessThan(texts.length);
});

it("is how the rules read composed prompts", async () => {
  const rules = createRuleModerator();
  const text = "A forged passport.\nCharacter (Mira): a girl with red hair.";
  const texts = [character, { path: scene.path, text: "a harbour" }, { ...prompt, text }];
  expect(
    await rules.moderate({ texts, strictness: "normal", hasClientImages: false }, signal),
  ).toMatchObject({
    allowed: false,
    certainty: "uncertain",
    code: "content_policy_violation",
    category: "forgery",
    path: scene.path,
    otherPaths: [character.path],
  });
});
