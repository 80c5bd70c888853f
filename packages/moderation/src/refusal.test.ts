import { expect, it } from "vitest";
import type { ModerationVerdict } from "./moderation-request.ts";
import { refusalError } from "./refusal.ts";

type Refusal = Extract<ModerationVerdict, { readonly allowed: false }>;

const certain: Refusal = {
  allowed: false,
  certainty: "certain",
  code: "content_illegal",
  category: "sexual_minors",
  path: "scenes.2.prompt",
  quoted: [],
};
const uncertain: Refusal = {
  ...certain,
  certainty: "uncertain",
  quoted: [{ written: "bras", readAs: "bra" }],
};

it("names field and category of a certain match, and no words", () => {
  const { code, message, details } = refusalError(certain, "normal");
  expect(code).toBe("content_illegal");
  expect(details).toEqual([
    {
      path: "scenes.2.prompt",
      code,
      message,
      category: "sexual_minors",
      strictness: "normal",
      certainty: "certain",
    },
  ]);
  const policy = { ...certain, code: "content_policy_violation", category: "gore" } as const;
  expect(refusalError(policy, "normal").code).toBe("content_policy_violation");
});

it("quotes the words of an uncertain match, how they were read, and where to reword them", () => {
  const { code, message, details } = refusalError(uncertain, "liberal");
  expect(code).toBe("content_policy_violation");
  expect(message).toBe(
    'The words "bras" (read as "bra") may violate the content policy (sexual_minors). Reword the text at scenes.2.prompt; nothing was charged.',
  );
  expect(details).toEqual([
    {
      path: "scenes.2.prompt",
      code,
      message,
      category: "sexual_minors",
      strictness: "liberal",
      certainty: "uncertain",
      quoted: [{ written: "bras", read_as: "bra" }],
    },
  ]);
});

it("names every field of a match across texts, each in its own detail", () => {
  const across = {
    ...uncertain,
    quoted: [
      { written: "bras", readAs: "bra" },
      { written: "a girl", readAs: null },
    ],
    otherPaths: ["characters.0.description"],
  };
  const { message, details } = refusalError(across, "normal");
  expect(message).toBe(
    'The words "bras" (read as "bra") and "a girl" may violate the content policy (sexual_minors). Reword the text at scenes.2.prompt or characters.0.description; nothing was charged.',
  );
  expect(details).toMatchObject([
    { path: "scenes.2.prompt", message },
    { path: "characters.0.description", message },
  ]);
});

it("names the fields of an uncertain match without words", () => {
  const alone = refusalError({ ...uncertain, quoted: [] }, "normal");
  expect(alone.message).toMatch(/^The text at scenes\.2\.prompt may violate/);
  const otherPaths = ["characters.0.description", "setting"];
  const joined = refusalError({ ...uncertain, quoted: [], otherPaths }, "normal");
  expect(joined.message).toMatch(
    /^The texts at scenes\.2\.prompt, characters\.0\.description and setting, read together, may/,
  );
});

it("limits the words, their length and the fields of a message", () => {
  const quoted = Array.from({ length: 9 }, (_, index) => ({
    written: `${index}${"ä".repeat(4_000)}`,
    readAs: null,
  }));
  const otherPaths = Array.from({ length: 30 }, (_, index) => `characters.${index}.description`);
  const { message, details } = refusalError({ ...uncertain, quoted, otherPaths }, "normal");
  expect(message.length).toBeLessThan(500);
  expect(message).toContain(`"0${"ä".repeat(59)}…"`);
  expect(details).toHaveLength(4);
  expect(JSON.stringify(details).length).toBeLessThan(5_000);
});
