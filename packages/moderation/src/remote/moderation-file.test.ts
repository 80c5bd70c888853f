import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readModerationFile } from "./moderation-file.ts";
import { areComplete, defaultThresholds, refusedByScores } from "./openai-thresholds.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-moderation-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function read(content: unknown) {
  const file = join(directory, "moderation.json");
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return readModerationFile(file);
}

const guard = {
  messages: [{ role: "user", content: "{text}" }],
  answer: { verdict: { line: 1 }, safe: ["safe"], unsafe: ["unsafe"], labels: { line: 2 } },
  labels: { violence: { category: "gore" } },
};

it("describes a guard model with defaults for what is left out", async () => {
  expect((await read({ guard })).guard).toMatchObject({
    max_characters: 8_000,
    sees_images: false,
    labels: { violence: { category: "gore", liberal: false, uncertain: false } },
  });
});

const { labels: _labels, ...withoutLabels } = guard;
const policy = { category: "gore", text: "no gore" };

it.each<[string, unknown, RegExp]>([
  ["is not JSON", '{"guard": ', /moderation\.json cannot be read as JSON: .*(position|end)/],
  ["has an unknown setting", { guards: guard }, /Unrecognized key: "guards"/],
  [
    "has an unknown category",
    { guard: { ...guard, labels: { violence: { category: "war" } } } },
    /→ at guard\.labels\.violence\.category/,
  ],
  [
    "has a wrong place",
    { guard: { ...guard, answer: { ...guard.answer, verdict: { row: 1 } } } },
    /must be \{"line": 1\}.*\n.*→ at guard\.answer\.verdict/,
  ],
  [
    "has a wrong pattern",
    { guard: { ...guard, answer: { ...guard.answer, verdict: { pattern: "(" } } } },
    /guard\.answer\.verdict/,
  ],
  [
    "has no place for the texts",
    { guard: { ...guard, messages: [{ role: "user", content: "hello" }] } },
    /must contain \{text\}\n.*→ at guard\.messages/,
  ],
  ["has neither labels nor policies", { guard: withoutLabels }, /→ at guard\.labels/],
  [
    "has no place for the policies",
    { guard: { ...withoutLabels, policies: [policy] } },
    /must contain \{policy\}\n.*→ at guard\.messages/,
  ],
  [
    "has a score above 1",
    { thresholds: { sexual: { normal: 40 } } },
    /→ at thresholds\.sexual\.normal/,
  ],
  [
    "has a new score without a category",
    { thresholds: { gambling: { normal: 0.5 } } },
    /category is required.*\n.*→ at thresholds\.gambling/,
  ],
  [
    "switches the legal floor off",
    { thresholds: { "sexual/minors": { liberal: null } } },
    /must be numbers.*\n.*→ at thresholds\["sexual\/minors"\]/,
  ],
])("names the position of the mistake when the file %s", async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

describe("thresholds of the file", () => {
  it("replace the defaults that they name, and no others", async () => {
    const { thresholds = {} } = await read({
      thresholds: {
        sexual: { normal: 0.8 },
        violence: { category: "gore", normal: 0.95, liberal: null },
      },
    });
    const refused = (scores: Readonly<Record<string, number>>) =>
      refusedByScores(scores, thresholds, "normal")?.category ?? null;
    expect(refused({ sexual: 0.7 })).toBeNull();
    expect(refused({ sexual: 0.8 })).toBe("sexual");
    expect(refused({ violence: 0.96 })).toBe("gore");
    expect(refused({ hate: 0.5 })).toBe("hate");
    expect(refusedByScores({ sexual: 0.7 }, defaultThresholds, "normal")?.category).toBe("sexual");
  });

  it("require a score for each new category that both levels refuse", async () => {
    const complete = Object.fromEntries(Object.keys(defaultThresholds).map((name) => [name, 0]));
    const { thresholds = {} } = await read({
      thresholds: { gambling: { category: "drugs_profanity", normal: 0.5, liberal: 0.9 } },
    });
    expect(areComplete(complete, thresholds)).toBe(false);
    expect(areComplete({ ...complete, gambling: 0 }, thresholds)).toBe(true);
  });
});

it("accepts the examples of docs/providers.md", async () => {
  const page = await readFile(new URL("../../../../docs/providers.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("### `MODERATION_SETTINGS_FILE`");
  const examples = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, example = ""]) => example);
  expect(examples).toHaveLength(3);
  for (const example of examples) expect(await read(example)).not.toEqual({});
});
