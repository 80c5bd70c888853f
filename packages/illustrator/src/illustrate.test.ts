import { describe, expect, it } from "vitest";
import { drawFigure } from "./compose/figures.ts";
import { illustrate } from "./illustrate.ts";
import { groundFor } from "./ground.ts";
import { ornament } from "./pattern/ornament.ts";
import { createPen } from "./pen.ts";
import { createRandom } from "./random.ts";
import { rasterise } from "./rasterise.ts";
import { readRequest } from "./read-request.ts";
import type { ReferenceWords } from "./read-request.ts";
import { styles } from "./styles.ts";

const view = { width: 1024, height: 1024 };
const draw = (prompt: string, references: readonly ReferenceWords[] = []): string =>
  illustrate(prompt, references, 3, view, view);

const characters: ReferenceWords[] = [
  {
    role: "character",
    name: "Mira",
    description: "a girl with long red hair, green coat and yellow boots",
  },
  { role: "character", name: "Tom", description: "an old man with a white beard and a blue coat" },
  { role: "character", name: "Pip", description: "a small orange fox with a blue scarf" },
];

function placed(prompt: string, references: readonly ReferenceWords[]): string[] {
  return draw(prompt, references).match(/<g transform="translate[^"]+"><path[^>]+>/gu) ?? [];
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe("a character's drawing", () => {
  const ground = groundFor("summer", createRandom(1));

  it.each([
    "Mira, Tom and Pip stand on a beach at noon",
    "Mira, Tom and Pip in a dark forest at night, in the rain",
    "Mira, Tom and Pip in the kitchen",
    "a harbour in winter",
  ])("is the same markup, once, in: %s", (prompt) => {
    const svg = draw(prompt, characters);
    for (const { look, pose } of readRequest(prompt, characters, 3).figures) {
      expect(pose).toBe("stand");
      const markup = drawFigure(createPen(styles.storybook), look, "stand", ground);
      expect(occurrences(svg, markup)).toBe(1);
    }
  });

  it("is the same markup in the portrait", () => {
    const [mira] = readRequest("Mira", characters, 3).figures;
    if (mira === undefined) throw new Error("no figure");
    const markup = drawFigure(createPen(styles.storybook), mira.look, "stand", ground);
    const svg = draw(
      "Character portrait of Mira: a girl with long red hair, green coat and yellow boots",
    );
    expect(occurrences(svg, markup)).toBe(1);
  });

  it("changes with the description", () => {
    const other: ReferenceWords[] = [
      { role: "character", name: "Mira", description: "a girl with short black hair" },
    ];
    expect(draw("Mira", other)).not.toBe(draw("Mira", characters.slice(0, 1)));
  });
});

describe("a location's drawing", () => {
  it.each([
    "a quiet bay with a red lighthouse on a cliff, two boats and a house",
    "a park with a fountain, a well, two benches, a statue and three willows",
    "a kitchen with a table, a chair and a barrel",
    "a bedroom with a teapot, a candle and a chair",
    "a river with a boat, a house and a bench",
  ])("has the same things in the same places in every scene: %s", (description) => {
    const place: ReferenceWords = { role: "location", name: "the place", description };
    const empty = placed("The place", [place]);
    expect(empty.length).toBeGreaterThan(2);
    for (const prompt of [
      "Mira waits at the place",
      "Tom and Pip at the place, with four sheep",
      "Pip naps on the bed at the place, with a cup and a cake",
    ]) {
      const scene = new Set(placed(prompt, [...characters, place]));
      expect(empty.filter((one) => !scene.has(one))).toEqual([]);
    }
  });
});

describe("the drawing", () => {
  it("shows a full moon as a disc", () => {
    const craters = "#e3d7b4";
    for (let seed = 1; seed < 12; seed += 1) {
      expect(illustrate("full moon over a lake", [], seed, view, view)).toContain(craters);
      expect(illustrate("a crescent moon over a lake", [], seed, view, view)).not.toContain(
        craters,
      );
    }
  });

  it("hides feet below a hull", () => {
    expect(draw("a girl rowing a boat")).toContain("clip-path");
  });

  it("shows a sofa in the described colour", () => {
    const sofas = ["a teal sofa", "a sofa"].map((sofa) => draw(`a cat on ${sofa}`));
    expect(sofas.map((svg) => svg.includes("#2f8a8c"))).toEqual([true, false]);
  });

  it("adds nothing to an empty place", () => {
    expect(draw("an empty beach").length).toBeLessThan(draw("a beach").length);
  });
});

describe("the markup", () => {
  it("contains no text of the prompt or of references", () => {
    const evil = `"/><script>alert("zqxj")</script><image href="zqxj"/>`;
    const references: ReferenceWords[] = (["character", "location", "style"] as const).map(
      (role) => ({ role, name: evil, description: `${evil} a house` }),
    );
    for (const svg of [
      draw(`${evil} a red house in a kitchen`, references),
      draw(`portrait of Zqxj ${evil}: a girl`),
      ornament(evil, 1, view, view),
    ]) {
      expect(svg).not.toMatch(/zqxj|script|<image|href/iu);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/u);
    }
  });

  it("has no NaN for any subject, style or format", () => {
    const prompts = [
      "a lighthouse with sheep, cats, a train and three balloons in a storm",
      "a dragon in a cave",
      "five people in a café",
      "fish underwater",
      "an astronaut in space",
      "a city at night with fireworks and a rainbow",
      "a field of tulips in the desert",
    ];
    for (const style of Object.keys(styles)) {
      for (const [width, height] of [
        [1024, 1024],
        [1568, 672],
        [768, 1368],
      ] as const) {
        for (const prompt of prompts) {
          const svg = illustrate(
            `${prompt}, ${style}`,
            [],
            5,
            { width, height },
            { width, height },
          );
          expect(svg).not.toMatch(/NaN|undefined|Infinity|null/u);
        }
      }
    }
  });

  it("differs between styles", () => {
    const drawn = ["", "flat", "watercolour", "ink", "pastel", "night style", "retro", "noir"].map(
      (style) => draw(`a house by a lake, ${style}`),
    );
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  it.each([
    ["nothing", ""],
    ["white space", " \n\t "],
    ["emoji", "🦊🌙✨🏰 👩‍🚀"],
    ["markup", `"/><script>alert(1)</script><image href="file:///etc/passwd"/>&lol; <![CDATA[`],
    ["control characters", "\u0000\uFFFF\uD800 a house"],
    ["30,000 characters", "a red house, three blue birds and 12 cats near the sea; ".repeat(550)],
    ["names of object properties", "constructor __proto__ toString hasOwnProperty a valueOf"],
    ["only brackets", "([{*+?^$|\\".repeat(300)],
  ])("can be drawn for %s, in the prompt and in references", async (_, text) => {
    const references: ReferenceWords[] = (["character", "location", "style"] as const).map(
      (role) => ({ role, name: text, description: text }),
    );
    const size = { width: 64, height: 64 };
    for (const svg of [
      illustrate(text, [], 1, view, size),
      illustrate(text, references, 1, view, size),
      illustrate(`portrait of ${text}`, references.slice(0, 1), 1, view, size),
      ornament(text, 1, view, size),
    ]) {
      expect((await rasterise(svg, size)).length).toBeGreaterThan(500);
    }
  });
});

describe("an ornament", () => {
  it("has the requested family and colours", () => {
    const families = [
      "girih",
      "waves",
      "truchet",
      "mandala",
      "memphis",
      "terrazzo",
      "quilt",
      "honeycomb",
    ];
    expect(new Set(families.map((family) => ornament(family, 1, view, view))).size).toBe(
      families.length,
    );
    expect(ornament("waves in red and navy", 1, view, view)).toContain("#c8443c");
    expect(ornament("waves in green", 1, view, view)).not.toContain("#c8443c");
  });

  it("has the colours of the named things", () => {
    for (const colour of ["#2b3d6b", "#2f8a8c"])
      expect(ornament("truchet, the ocean", 1, view, view)).toContain(colour);
    expect(ornament("truchet, autumn", 1, view, view)).toContain("#b5592f");
  });

  it("differs by seed and is the same for the same seed", () => {
    expect(ornament("anything", 1, view, view)).toBe(ornament("anything", 1, view, view));
    expect(ornament("anything", 1, view, view)).not.toBe(ornament("anything", 2, view, view));
  });
});
