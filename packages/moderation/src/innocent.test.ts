import { describe, expect, it } from "vitest";
import { childrenStories } from "../fixtures/children-stories.ts";
import { neverIllegal, onceRefused } from "../fixtures/once-refused.ts";
import { createRuleModerator } from "./moderator.ts";

const moderator = createRuleModerator();
const { signal } = new AbortController();

async function judge(text: string): Promise<unknown> {
  const texts = [{ path: "prompt", text }];
  return moderator.moderate({ texts, strictness: "normal", hasClientImages: false }, signal);
}

it.each(onceRefused)("allows: %s", async (text) => {
  expect(await judge(text)).toEqual({ allowed: true });
});

it.each(neverIllegal)("does not call illegal: %s", async (text) => {
  expect(await judge(text)).not.toMatchObject({ code: "content_illegal" });
});

describe("a story of a child at school, at the doctor's, at the beach, in a museum of war, in a pharmacy, at a birthday", () => {
  it.each(Object.entries(childrenStories))("is allowed in %s", async (_language, story) => {
    const texts = [
      { path: "characters.0.name", text: "Mia" },
      { path: "characters.0.description", text: story.child },
      ...story.scenes.map((text, scene) => ({ path: `scenes.${scene}.prompt`, text })),
    ];
    const request = { texts, strictness: "normal", hasClientImages: false } as const;
    expect(await moderator.moderate(request, signal)).toEqual({ allowed: true });
  });
});
