import type { Strictness } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { createCorpus } from "../corpus/corpus.ts";
import { illegal } from "../fixtures/illegal.ts";
import { createRuleModerator } from "./moderator.ts";
import type { ModerationVerdict } from "./moderation-request.ts";

const moderator = createRuleModerator();
const { signal } = new AbortController();

function judge(text: string, strictness: Strictness = "normal"): Promise<ModerationVerdict> {
  const texts = [{ path: "prompt", text }];
  return moderator.moderate({ texts, strictness, hasClientImages: false }, signal);
}

describe("an uncertain refusal", () => {
  it.each([
    ["a nkaed child on a sofa", "nkaed", "naked"],
    ["a na ked child on a sofa", "na ked", "naked"],
  ])("quotes the client's words and how they were read: %s", async (text, written, readAs) => {
    expect(await judge(text, "liberal")).toMatchObject({
      certainty: "uncertain",
      code: "content_policy_violation",
      category: "sexual_minors",
      quoted: [{ written, readAs }],
    });
  });

  it("quotes nothing but words of the text, and one word that each was read as", async () => {
    for (const { unsafe } of createCorpus()) {
      const verdict = await judge(unsafe);
      if (verdict.allowed) continue;
      for (const { written, readAs } of verdict.quoted) {
        expect([unsafe, unsafe.normalize("NFKC").includes(written)]).toEqual([unsafe, true]);
        expect(readAs ?? "").toMatch(/^(?:\p{L}*|.+ \(\p{L}+\))$/u);
      }
    }
  });
});

it("a certain refusal quotes nothing", async () => {
  for (const { text } of illegal) {
    expect(await judge(text, "liberal")).toMatchObject({ certainty: "certain", quoted: [] });
  }
});

it.each(["nkaed", "a nkaed man", "n.a.k.d.e", "prnography"])(
  "a repaired word alone refuses nothing: %s",
  async (text) => {
    expect(await judge(text)).toEqual({ allowed: true });
  },
);
