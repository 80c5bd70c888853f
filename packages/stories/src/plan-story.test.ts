import {
  AppError,
  countReferenceImages,
  operations,
  totalPrice,
  type RenderSpec,
  type StoryRequest,
} from "@atelier/schemas";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanFacts } from "./facts.ts";
import { planStory } from "./plan-story.ts";

const facts: PlanFacts = {
  model: {
    id: "illustrator",
    lane: "builtin",
    imageSizes: ["1K", "2K"],
    aspectRatios: ["1:1", "3:4", "16:9"],
    defaultAspectRatio: "1:1",
    maxReferenceImages: 8,
  },
  imageSize: "1K",
  strictness: "normal",
  pricePerImageMicroEur: 40_000n,
  seed: 2_147_483_647,
};

/** Two characters, one of them with a second costume, two locations, five scenes. */
const story = {
  model: "illustrator",
  aspect_ratio: "16:9",
  prompt: "Mara and Finn look for the lost star",
  setting: "A fishing village in winter",
  style: "watercolour",
  characters: [
    {
      name: "Mara",
      description: "A girl with red braids in a yellow coat",
      states: { knight: { description: "In silver armour with a blue cape" } },
    },
    {
      name: "Finn",
      description: "An old fisherman",
      reference_url: "https://example.com/finn.png",
    },
  ],
  locations: [
    { name: "Harbour", description: "A stone pier" },
    { name: "Attic", description: "A dusty room", reference_url: "https://example.com/attic.png" },
  ],
  reference_images: [{ description: "Brush strokes", url: "https://example.com/style.png" }],
  scenes: [
    { prompt: "Mara waits", characters: [{ name: "Mara" }], location: "Harbour" },
    { prompt: "They meet", characters: [{ name: "Finn" }, { name: "Mara" }], location: "Attic" },
    { prompt: "Mara fights", characters: [{ name: "Mara", state: "knight" }], aspect_ratio: "1:1" },
    { prompt: "Waves" },
    { prompt: "Home again", characters: [{ name: "Mara" }], location: "Harbour" },
  ],
};

function planOf(changes: object = {}, otherFacts: Partial<PlanFacts["model"]> = {}) {
  const request = operations.story.request.parse({ ...story, ...changes });
  return planStory(request, { ...facts, model: { ...facts.model, ...otherFacts } });
}

function refusalOf(changes: object, otherFacts: Partial<PlanFacts["model"]> = {}) {
  try {
    planOf(changes, otherFacts);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("The story was not refused");
}

it("puts the metadata of a request into no image and no text that is judged", () => {
  const { metadata, request, renders } = planOf({ metadata: { note: "⟦of the client⟧" } });
  expect(metadata).toEqual({ note: "⟦of the client⟧" });
  expect(JSON.stringify([request, renders])).not.toContain("⟦");
});

it("rejects a story with all problems of model and names at once", () => {
  const scenes = [{ prompt: "one", location: "Moon" }, { prompt: "two" }];
  const error = refusalOf({ aspect_ratio: "5:1", image_size: "9K", scenes });
  expect(error.code).toBe("unsupported_aspect_ratio");
  expect(error.details).toMatchObject([
    { path: "aspect_ratio", supported: facts.model.aspectRatios },
    { path: "image_size", code: "unsupported_image_size", supported: ["1K", "2K"] },
    { path: "scenes.0.location", code: "unknown_location" },
  ]);
});

type Plan = ReturnType<typeof planStory>;

/** The references of a render. */
function looksOf(plan: Plan, index: number) {
  return plan.renders[index]?.spec.references.map(({ role, name, source }) => [
    role,
    name,
    source.kind === "render" ? source.position : source.path,
  ]);
}

/** Reference roles of the second scene for a model with this reference limit. */
function rolesWithin(maxReferenceImages: number) {
  const { renders } = planOf({}, { maxReferenceImages });
  return renders[4]?.spec.references.map(({ role }) => role);
}

function positionsSeen({ spec }: Plan["renders"][number]): number[] {
  return spec.references.flatMap(({ source }) =>
    source.kind === "render" ? [source.position] : [],
  );
}

describe("the plan of a story with cast_only", () => {
  it("has the portraits and locations alone, and their price", () => {
    const plan = planOf({ cast_only: true, scenes: undefined });
    expect(plan.renders.map(({ role, spec }) => [role, spec.name, spec.state])).toEqual([
      ["portrait", "Mara", null],
      ["location", "Harbour", null],
      ["state", "Mara", "knight"],
    ]);
    expect(totalPrice(plan.price)).toBe(120_000n);
    expect(planOf({ cast_only: true }).renders).toHaveLength(3);
  });

  it("is refused without an image to make", () => {
    const characters = [story.characters[1]];
    const changes = { cast_only: true, characters, locations: [], scenes: undefined };
    const { code, details } = refusalOf(changes);
    expect({ code, details }).toMatchObject({
      code: "invalid_request",
      details: [{ path: "cast_only" }],
    });
  });
});

describe("the plan of a story", () => {
  const plan = planOf();
  const [portrait, harbour, knight, waiting, meeting, fighting, waves, home] = plan.renders;

  it("generates references that the client did not supply, then the scenes", () => {
    const planned = plan.renders.map(({ role, spec }) => [
      role,
      spec.name ?? spec.title,
      spec.state,
    ]);
    expect(planned).toEqual([
      ["portrait", "Mara", null],
      ["location", "Harbour", null],
      ["state", "Mara", "knight"],
      ["scene", "Mara Waits", null],
      ["scene", "They Meet", null],
      ["scene", "Mara Fights", null],
      ["scene", "Waves", null],
      ["scene", "Home Again", null],
    ]);
    expect(totalPrice(plan.price)).toBe(320_000n);
    expect(plan.title).toBe("Mara and Finn Look");
  });

  it("makes the first scene wait for all references, and each later scene for the previous one", () => {
    expect(plan.renders.map(({ waitsFor }) => waitsFor)).toEqual([
      [],
      [],
      [0],
      [0, 1, 2],
      [0, 3],
      [2, 4],
      [5],
      [0, 1, 6],
    ]);
  });

  it("sends each scene its characters' states, location, previous scene and shared images", () => {
    const style = ["style", null, "reference_images.0.url"];
    expect(looksOf(plan, 0)).toEqual([style]);
    expect(looksOf(plan, 1)).toEqual([style]);
    expect(looksOf(plan, 2)).toEqual([["character", "Mara", 0], style]);
    expect(looksOf(plan, 3)).toEqual([["character", "Mara", 0], ["location", "Harbour", 1], style]);
    expect(looksOf(plan, 4)).toEqual([
      ["character", "Finn", "characters.1.reference_url"],
      ["character", "Mara", 0],
      ["location", "Attic", "locations.1.reference_url"],
      ["previous-scene", null, 3],
      style,
    ]);
    expect(looksOf(plan, 5)).toEqual([
      ["character", "Mara", 2],
      ["previous-scene", null, 4],
      style,
    ]);
    expect(looksOf(plan, 6)).toEqual([["previous-scene", null, 5], style]);
  });

  it("keeps the most important references for a model with a low limit", () => {
    expect(rolesWithin(4)).toEqual(["character", "character", "location", "previous-scene"]);
    expect(rolesWithin(1)).toEqual(["character"]);
  });

  it("describes a state as base description followed by the state's description", () => {
    const description = fighting?.spec.references[0]?.description;
    expect(description).toMatch(
      /^A girl with red braids in a yellow coat\. Now appearing differently: In silver armour with a blue cape\./,
    );
    expect(fighting?.spec.prompt).toContain(`Character (Mara): ${description}`);
    expect(knight?.spec.prompt).toContain(`Character (Mara): ${description}`);
    expect(knight?.spec.references[0]?.description).toBe(description);
    expect(home?.spec.prompt).not.toContain("armour");
  });

  it("puts style, setting, story, characters and location into every prompt", () => {
    for (const { spec } of plan.renders) {
      expect(spec.prompt).toContain("Style: watercolour.");
      expect(spec.prompt).toContain("Setting: A fishing village in winter.");
      expect(spec.prompt).toContain("Story: Mara and Finn look for the lost star.");
    }
    expect(portrait?.spec.prompt).toContain("portrait of Mara");
    expect(knight?.spec.prompt).toContain("portrait of Mara");
    expect(harbour?.spec.prompt).toContain("nobody in it");
    expect(meeting?.spec.prompt).toMatch(/^They meet\.\n/);
    expect(meeting?.spec.prompt).toContain("Character (Finn): An old fisherman.");
    expect(meeting?.spec.prompt).toContain("Location (Attic): A dusty room.");
  });

  it("records the order of states, which the database does not preserve", () => {
    const states = { disguise: { description: "a hat" }, old: { description: "grey hair" } };
    const mira = { name: "Mira", description: "a girl", states };
    const scenes = [{ prompt: "Mira waits" }, { prompt: "Mira leaves" }];
    expect(planOf({ characters: [mira], scenes }).request).toMatchObject({
      characters: [{ state_order: ["disguise", "old"] }],
    });
  });

  it("sends raw prompts unchanged, with the references", () => {
    const raw = planOf({ raw_prompts: true }).renders;
    expect(raw.slice(3).map(({ spec }) => spec.prompt)).toEqual(
      story.scenes.map(({ prompt }) => prompt),
    );
    expect(raw.map(({ spec }) => spec.references)).toEqual(
      plan.renders.map(({ spec }) => spec.references),
    );
    expect(raw[0]?.spec.prompt).toBe(portrait?.spec.prompt);
    expect(raw.slice(3).every(({ spec }) => spec.rawPrompt)).toBe(true);
    expect(raw.slice(0, 3).some(({ spec }) => spec.rawPrompt)).toBe(false);
  });

  it("uses portrait format for portraits and the requested formats for the rest", () => {
    const ratios = (renders: typeof plan.renders) => renders.map(({ spec }) => spec.aspectRatio);
    const wide = "16:9";
    expect(ratios(plan.renders)).toEqual(["3:4", wide, "3:4", wide, wide, "1:1", wide, wide]);
    const square = planOf({ aspect_ratio: undefined }, { aspectRatios: ["1:1"] });
    expect(new Set(ratios(square.renders))).toEqual(new Set(["1:1"]));
  });

  it("gives all portraits one seed, and each location and scene its own", () => {
    expect(portrait?.spec.seed).toBe(facts.seed);
    expect(knight?.spec.seed).toBe(facts.seed);
    const own = [harbour, waiting, meeting, fighting, waves, home].map(
      (render) => render?.spec.seed,
    );
    expect(new Set([facts.seed, ...own]).size).toBe(7);
  });

  it("stores the normalised request", () => {
    expect(plan.request).toMatchObject({
      image_size: "1K",
      strictness: "normal",
      raw_prompts: false,
    });
    const request = planOf({
      aspect_ratio: null,
      characters: [{ name: " Zoe\u0308 ", description: "A cat" }],
      scenes: [{ prompt: "a", characters: [{ name: "Zoë" }] }, { prompt: "b" }],
      locations: null,
    }).request;
    expect(request).toMatchObject({ aspect_ratio: "1:1", characters: [{ name: "Zoë" }] });
  });
});

describe("rejecting an invalid story", () => {
  const [first, second] = story.scenes;
  const withScene = (scene: object) => ({ scenes: [first, { ...second, ...scene }] });

  it.each([
    [
      "unknown_character",
      "scenes.1.characters.0.name",
      withScene({ characters: [{ name: "mara" }] }),
      "Mara",
    ],
    [
      "unknown_state",
      "scenes.1.characters.0.state",
      withScene({ characters: [{ name: "Mara", state: "constructor" }] }),
      "knight",
    ],
    ["unknown_location", "scenes.1.location", withScene({ location: "Attik" }), "Attic"],
  ])("reports %s at %s with the defined names", (code, path, changes, available) => {
    const error = refusalOf(changes);
    expect(error).toMatchObject({ code, status: 422, details: [{ path, code }] });
    expect(error.message).toContain(path);
    expect(error.message).toContain(available);
    expect(error.details).toMatchObject([{ available: expect.arrayContaining([available]) }]);
  });

  it.each([
    ["aspect_ratio", { aspect_ratio: "2:1" }],
    ["scenes.1.aspect_ratio", withScene({ aspect_ratio: "2:1" })],
  ])("reports unsupported_aspect_ratio at %s with the supported values", (path, changes) => {
    const code = "unsupported_aspect_ratio";
    const error = refusalOf(changes);
    expect(error).toMatchObject({ code, status: 422 });
    expect(error.details).toMatchObject([
      { path, code, supported: expect.arrayContaining(["3:4"]) },
    ]);
  });

  const person = { name: "Zoë", description: "Somebody" };
  it.each([
    [
      "characters.1.name",
      {
        characters: [person, { ...person, name: "Zoe\u0308 " }],
        scenes: [{ prompt: "a" }, { prompt: "b" }],
      },
    ],
    [
      "locations.2.name",
      { locations: [...story.locations, { name: "Attic", description: "Again" }] },
    ],
    [
      "scenes.1.characters.1.name",
      withScene({ characters: [{ name: "Mara" }, { name: "Mara", state: "knight" }] }),
    ],
    [
      "characters.0.states.Zoe\u0308",
      {
        characters: [
          { ...person, states: { Zoë: { description: "a" }, "Zoe\u0308": { description: "b" } } },
        ],
        scenes: [{ prompt: "a" }, { prompt: "b" }],
      },
    ],
  ])("reports duplicate_name at %s", (path, changes) => {
    expect(refusalOf(changes)).toMatchObject({ code: "duplicate_name", details: [{ path }] });
  });

  it("reports all problems at once", () => {
    const changes = {
      aspect_ratio: "2:1",
      ...withScene({ location: "Nowhere", characters: [{ name: "Nobody" }] }),
    };
    expect(refusalOf(changes).details).toMatchObject([
      { path: "aspect_ratio", code: "unsupported_aspect_ratio" },
      { path: "scenes.1.characters.0.name", code: "unknown_character" },
      { path: "scenes.1.location", code: "unknown_location" },
    ]);
  });

  it("rejects reference images for a model that supports none", () => {
    expect(refusalOf({}, { maxReferenceImages: 0 })).toMatchObject({
      code: "references_not_supported",
      details: [
        { path: "reference_images.0.url" },
        { path: "characters.1.reference_url" },
        { path: "locations.1.reference_url" },
      ],
    });
  });

  it("rejects a story whose renders would contain too much text in total", () => {
    const places = Array.from({ length: 20 }, (_, index) => `Place ${index}`);
    const description = "A place of which there is very much to say. ".repeat(70);
    const locations = places.map((name) => ({ name, description }));
    const error = refusalOf({ locations, scenes: [{ prompt: "a" }, { prompt: "b" }] });
    expect(error).toMatchObject({
      code: "invalid_request",
      details: [{ path: "", code: "too_big" }],
    });
    expect(error.message).toContain("fewer characters, states and locations");
  });

  it("rejects a story with a prompt that is too long once complete", () => {
    const prompt = "word ".repeat(4_000);
    expect(refusalOf({ prompt, scenes: [{ prompt: "a" }, { prompt }] })).toMatchObject({
      code: "invalid_request",
      details: [{ path: "scenes.1.prompt" }],
    });
  });
});

// Every client text is enclosed in marks, so that it can be found in prompts.
const text = fc
  .tuple(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8})?$/), fc.nat(9_999))
  .map(([words, number]) => `⟦${words} ${number}⟧`);
const optionally = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const url = fc.nat(999).map((number) => `https://example.com/${number}.png`);
const uniqueTexts = (maxLength: number, minLength = 0) =>
  fc.uniqueArray(text, { minLength, maxLength });

const anyStory: fc.Arbitrary<StoryRequest> = fc
  .record({ characters: uniqueTexts(5, 1), states: uniqueTexts(5), locations: uniqueTexts(4) })
  .chain((names) => {
    const state = fc.record({ description: text, reference_url: optionally(url) });
    const looks = Object.fromEntries(names.states.map((key) => [key, state]));
    const character = (name: string) =>
      fc.record({
        name: fc.constant(name),
        description: text,
        reference_url: optionally(url),
        states: fc.record(looks),
      });
    const location = (name: string) =>
      fc.record({ name: fc.constant(name), description: text, reference_url: optionally(url) });
    const appearance = (name: string) =>
      fc.record({
        name: fc.constant(name),
        state:
          names.states.length > 0
            ? optionally(fc.constantFrom(...names.states))
            : fc.constant(undefined),
      });
    const scene = fc.record({
      prompt: text,
      aspect_ratio: optionally(fc.constantFrom(...facts.model.aspectRatios)),
      characters: fc.subarray(names.characters).chain((some) => fc.tuple(...some.map(appearance))),
      location:
        names.locations.length > 0
          ? optionally(fc.constantFrom(...names.locations))
          : fc.constant(undefined),
    });
    return fc.record({
      model: fc.constant("illustrator"),
      prompt: optionally(text),
      title: optionally(text),
      setting: optionally(text),
      style: optionally(text),
      raw_prompts: optionally(fc.boolean()),
      reference_images: fc.array(fc.record({ description: text, url }), { maxLength: 5 }),
      characters: fc.tuple(...names.characters.map(character)),
      locations: fc.tuple(...names.locations.map(location)),
      scenes: fc.array(scene, { minLength: 2, maxLength: 10 }),
    });
  })
  .map((input) => operations.story.request.parse(input));

const anyFacts = fc
  .record({
    maxReferenceImages: fc.integer({ min: 1, max: 16 }),
    price: fc.bigInt({ min: 0n, max: 10_000_000n }),
    seed: fc.nat(2 ** 31 - 1),
  })
  .map(({ maxReferenceImages, price, seed }): PlanFacts => ({
    ...facts,
    model: { ...facts.model, maxReferenceImages },
    pricePerImageMicroEur: price,
    seed,
  }));

/** The marked client texts in a value. */
const marked = (value: unknown) => JSON.stringify(value).match(/⟦[^⟧]*⟧/g) ?? [];

/** Checks a property for arbitrary valid stories and models. */
function always(check: (plan: Plan, request: StoryRequest, facts: PlanFacts) => void) {
  fc.assert(
    fc.property(anyStory, anyFacts, (request, known) =>
      check(planStory(request, known), request, known),
    ),
    { numRuns: process.env["ATELIER_TEST_LANE"] === "full" ? 200 : 25 },
  );
}

describe("for any valid story", () => {
  it("no render depends on itself or a later one, and all references are planned before use", () => {
    always(({ renders }) => {
      for (const [position, render] of renders.entries()) {
        const { waitsFor } = render;
        expect(waitsFor.every((earlier) => earlier >= 0 && earlier < position)).toBe(true);
        expect(new Set(waitsFor).size).toBe(waitsFor.length);
        expect(waitsFor).toEqual(expect.arrayContaining(positionsSeen(render)));
      }
    });
  });

  it("each scene waits for the previous one, and all scenes are planned in order", () => {
    always(({ renders }, request) => {
      const scenes = renders.flatMap(({ role }, position) => (role === "scene" ? [position] : []));
      expect(scenes).toHaveLength(request.scenes.length);
      for (const [index, position] of scenes.slice(1).entries()) {
        expect(renders[position]?.waitsFor).toContain(scenes[index]);
      }
    });
  });

  it("the price is the sum of its images' prices", () => {
    always(({ price, renders }, _, { pricePerImageMicroEur }) => {
      expect(totalPrice(price)).toBe(BigInt(renders.length) * pricePerImageMicroEur);
    });
  });

  it("each reference is generated once unless the client supplied it", () => {
    always(({ renders }, request) => {
      const planned = renders.flatMap(({ role, spec }) =>
        role === "scene" ? [] : [JSON.stringify([role, spec.name, spec.state])],
      );
      const missing = [
        ...request.characters.flatMap(({ name, reference_url, states }) => [
          ...(reference_url === undefined ? [["portrait", name, null]] : []),
          ...Object.entries(states ?? {}).flatMap(([key, state]) =>
            state.reference_url === undefined ? [["state", name, key]] : [],
          ),
        ]),
        ...(request.locations ?? []).flatMap(({ name, reference_url }) =>
          reference_url === undefined ? [["location", name, null]] : [],
        ),
      ].map((label) => JSON.stringify(label));
      expect(planned.toSorted()).toEqual(missing.toSorted());
    });
  });

  it("a state waits for its portrait if that is generated", () => {
    always(({ renders }) => {
      for (const { spec, waitsFor } of renders.filter(({ role }) => role === "state")) {
        const portrait = renders.findIndex(
          (other) => other.role === "portrait" && other.spec.name === spec.name,
        );
        expect(waitsFor).toEqual([portrait].filter((position) => position >= 0));
      }
    });
  });

  it("every render without dependencies carries all texts of the story", () => {
    always(({ renders }, request) => {
      const roots = renders.filter(({ waitsFor }) => waitsFor.length === 0);
      expect(roots.length).toBeGreaterThan(0);
      for (const { spec } of roots) {
        const carried = new Set(spec.texts.map((entry) => entry.text));
        expect(marked(request).filter((found) => !carried.has(found))).toEqual([]);
      }
    });
  });

  it("each image carries every text in its prompt, with the path in the request", () => {
    always(({ renders }, request) => {
      for (const { spec } of renders) {
        const carried = new Set(spec.texts.map((entry) => entry.text));
        const used = marked([
          spec.prompt,
          spec.references.map(({ name, description }) => [name, description]),
        ]);
        expect(used.filter((found) => !carried.has(found))).toEqual([]);
        for (const entry of spec.texts) expect(textAt(request, entry.path)).toBe(entry.text);
      }
    });
  });

  it("each prompt names the fields it is made of, first the one of its image", () => {
    always(({ renders }, request) => {
      for (const { role, spec } of renders) {
        const fields = spec.composedOf ?? [];
        expect(fields[0]).toMatch(role === "scene" ? /^scenes\.\d+\.prompt$/ : /\.description$/);
        expect(new Set(fields).size).toBe(fields.length);
        const named: readonly string[] = marked(fields.map((path) => textAt(request, path)));
        const used: readonly string[] = marked(spec.prompt);
        expect(used.filter((found) => !named.includes(found))).toEqual([]);
        if (spec.rawPrompt !== true) {
          expect(named.filter((found) => !used.includes(found))).toEqual([]);
        }
      }
    });
  });

  it("no image has more references than the model supports", () => {
    always(({ renders }, _, { model }) => {
      for (const { spec } of renders) {
        expect(countReferenceImages(spec)).toBeLessThanOrEqual(model.maxReferenceImages);
      }
    });
  });

  it("every image of the client is a reference, or checked by the first render", () => {
    always(({ renders }, request) => {
      const pathsOf = (specs: readonly RenderSpec[], isUsed: boolean) =>
        specs
          .flatMap(({ references }) => references)
          .filter(({ role }) => (role !== "unused") === isUsed)
          .flatMap(({ source }) => (source.kind === "render" ? [] : [source.path]));
      const specs = renders.map(({ spec }) => spec);
      const used = new Set(pathsOf(specs, true));
      const unused = pathsOf(specs, false);
      expect(pathsOf(specs.slice(0, 1), false)).toEqual(unused);
      expect(unused.filter((path) => used.has(path))).toEqual([]);
      const urls = JSON.stringify(request).match(/https:/g) ?? [];
      expect(used.size + new Set(unused).size).toBe(urls.length);
    });
  });

  it("all scene seeds differ and are in range", () => {
    always(({ renders }) => {
      const scenes = renders.filter(({ role }) => role === "scene").map(({ spec }) => spec.seed);
      expect(new Set(scenes).size).toBe(scenes.length);
      for (const seed of scenes)
        expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
    });
  });
});

/** The text at a path of the request; a path that ends in a map key returns the key. */
function textAt(request: StoryRequest, path: string): unknown {
  let value: unknown = request;
  for (const step of path.split(".")) {
    value = Object.entries(Object(value)).find(([key]) => key === step)?.[1];
  }
  return typeof value === "object" ? path.split(".").at(-1) : value;
}
