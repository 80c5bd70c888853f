import type { ModerationRequest, ModerationVerdict } from "@atelier/moderation";
import { AppError, type GenerationPlan } from "@atelier/schemas";
import { planStory } from "@atelier/stories";
import { expect, it } from "vitest";
import { assertAllowed } from "./assert-allowed.ts";

const model = {
  id: "illustrator",
  lane: "builtin",
  imageSizes: ["1K"],
  aspectRatios: ["1:1"],
  defaultAspectRatio: "1:1",
  maxReferenceImages: 3,
};
const story = planStory(
  {
    model: model.id,
    characters: [{ name: "Mira", description: "a girl with red hair" }],
    scenes: [{ prompt: "Mira wakes up" }, { prompt: "de kinderen spelen, bras" }],
  },
  { model, imageSize: "1K", strictness: "liberal", pricePerImageMicroEur: 1n, seed: 1 },
);

const uncertain: ModerationVerdict = {
  allowed: false,
  certainty: "uncertain",
  code: "content_policy_violation",
  category: "sexual_minors",
  path: "scenes.1.prompt",
  quoted: [{ written: "bras", readAs: "bra" }],
};
const certain: ModerationVerdict = {
  ...uncertain,
  certainty: "certain",
  code: "content_illegal",
  quoted: [],
};

/** Judges a plan with rules that return a verdict. */
async function judge(verdict: ModerationVerdict, moderation: string, plan: GenerationPlan = story) {
  const judged: ModerationRequest[] = [];
  const refused: string[] = [];
  const logged: unknown[] = [];
  const dependencies = {
    config: { MODERATION: moderation },
    rules: {
      judge: (_: string, request: ModerationRequest) => {
        judged.push(request);
        return Promise.resolve(verdict);
      },
    },
    metrics: {
      requestRefused: (...labels: string[]) => refused.push(labels.join(", ")),
    },
    logger: { info: (...line: unknown[]) => logged.push(line) },
  } as unknown as Parameters<typeof assertAllowed>[2];
  const error = await assertAllowed(
    plan,
    { accountId: "account", requestId: "request" },
    dependencies,
  ).then(
    () => null,
    (thrown: unknown) => thrown as AppError,
  );
  return { error, judged, refused, logged };
}

it("judges every text and every composed prompt of a story in one request", async () => {
  const { error, judged } = await judge({ allowed: true }, "rules");
  expect(error).toBeNull();
  expect(judged).toHaveLength(1);
  const [request] = judged;
  expect(request).toMatchObject({ strictness: "liberal", hasClientImages: false });
  expect(request?.texts.map(({ path, composedOf }) => [path, composedOf?.length ?? 0])).toEqual([
    ["characters.0.name", 0],
    ["characters.0.description", 0],
    ["scenes.0.prompt", 0],
    ["scenes.1.prompt", 0],
    ["characters.0.description", 2],
    ["scenes.0.prompt", 1],
    ["scenes.1.prompt", 1],
  ]);
});

it.each(["rules", "openai", "guard"])(
  "refuses a certain match with MODERATION=%s",
  async (kind) => {
    const { error, refused } = await judge(certain, kind);
    expect(error).toMatchObject({ code: "content_illegal", status: 451 });
    expect(refused).toEqual(["sexual_minors, certain"]);
  },
);

it("refuses an uncertain match without a remote model, with the client's own words", async () => {
  const { error, refused } = await judge(uncertain, "rules");
  expect(error).toMatchObject({
    status: 422,
    details: [{ path: "scenes.1.prompt", quoted: [{ written: "bras", read_as: "bra" }] }],
  });
  expect(refused).toEqual(["sexual_minors, uncertain"]);
});

it("leaves an uncertain match to the remote model of the workers", async () => {
  const { error, refused } = await judge(uncertain, "openai");
  expect(error).toBeNull();
  expect(refused).toEqual([]);
});

it("logs category and certainty of a refusal, and none of its texts", async () => {
  const { logged } = await judge(uncertain, "rules");
  expect(logged).toEqual([
    [
      {
        requestId: "request",
        accountId: "account",
        category: "sexual_minors",
        certainty: "uncertain",
        strictness: "liberal",
      },
      "request refused",
    ],
  ]);
});
