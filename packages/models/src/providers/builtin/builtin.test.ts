import type { DiagramTask, GraphicTask } from "@atelier/schemas";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ImageFile, ProviderCall, ProviderRequest } from "../../provider.ts";
import { createDiagrams } from "@atelier/diagrams";
import { createSvgDrawer } from "@atelier/svg";
import { createBuiltinProvider } from "./builtin.ts";

const provider = createBuiltinProvider();

function request(change: Partial<ProviderRequest> = {}): ProviderRequest {
  return {
    model: "illustrator",
    prompt: "a red house and three sheep on a hill",
    aspectRatio: "1:1",
    imageSize: "1K",
    seed: 7,
    references: [],
    previousTurn: null,
    ...change,
  };
}

function call(signal: AbortSignal = new AbortController().signal): ProviderCall {
  return { signal, key: "key", resumeRequestId: null, onRequestId: async () => {} };
}

describe("the built-in provider", () => {
  it.each(["illustrator", "pattern"])("returns a PNG for the model %s", async (model) => {
    const outcome = await provider.generate(request({ model }), call());
    if (outcome.kind !== "image") throw new Error(`no image but ${outcome.kind}`);
    expect(outcome.image.mediaType).toBe("image/png");
    expect((await sharp(outcome.image.bytes).metadata()).format).toBe("png");
  });

  it.each([
    { imageSize: "8K" },
    { aspectRatio: "5:4" },
    { model: "painter" },
    { imageSize: "toString" },
  ])("returns invalid-request for the unsupported %o", async (change) => {
    const outcome = await provider.generate(request(change), call());
    expect(outcome.kind).toBe("invalid-request");
  });

  it("returns unavailable once the call is aborted", async () => {
    const outcome = await provider.generate(request(), call(AbortSignal.abort()));
    expect(outcome.kind).toBe("unavailable");
  });
});

const wide = { width: 192, height: 128 };

async function flat(background: string): Promise<ImageFile> {
  const create = { ...wide, channels: 3 as const, background };
  return { bytes: await sharp({ create }).png().toBuffer(), mediaType: "image/png" };
}

async function rightHalf(): Promise<Buffer> {
  const create = { width: 96, height: 128, channels: 3 as const, background: "#fff" };
  return sharp((await flat("#000")).bytes)
    .composite([{ input: await sharp({ create }).png().toBuffer(), left: 96, top: 0 }])
    .toColourspace("b-w")
    .png()
    .toBuffer();
}

async function imageOf(change: Partial<ProviderRequest>) {
  const outcome = await provider.generate(request(change), call());
  if (outcome.kind !== "image") throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** Mean absolute difference to a flat colour, in columns `from` to `to`. */
async function differenceTo(bytes: Uint8Array, colour: string, from: number, to: number) {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .extract({ left: from, top: 0, width: to - from, height: wide.height })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return (
    data.reduce((sum, value, index) => sum + Math.abs(value - (parts[index % 3] ?? 0)), 0) /
    (info.width * info.height * 3)
  );
}

describe("edits of the built-in illustrator", () => {
  const grey = "#777777";

  it("redraw inside the mask and change nothing outside of it", async () => {
    const task = {
      kind: "edit",
      image: await flat(grey),
      mask: await rightHalf(),
      strength: null,
    } as const;
    const { image, seed } = await imageOf({ prompt: "a red barn", task });
    expect(await sharp(image.bytes).metadata()).toMatchObject(wide);
    expect(await differenceTo(image.bytes, grey, 0, 90)).toBeLessThan(2);
    expect(await differenceTo(image.bytes, grey, 102, 192)).toBeGreaterThan(20);
    expect(seed).toBe(7);
  });

  for (const [options, imageSize, size] of [
    [{}, "1K", { width: 1_254, height: 836 }],
    [{ tags: "full" }, "2K", { width: 2_508, height: 1_672 }],
  ] as const) {
    it(
      `without a mask have the pixels of ${imageSize} in the shape of the image`,
      options,
      async () => {
        const task = { kind: "edit", image: await flat(grey), mask: null, strength: 0.2 } as const;
        const { image } = await imageOf({ task, imageSize });
        expect(await sharp(image.bytes).metadata()).toMatchObject(size);
      },
    );
  }

  it("keep the pixels of an image that has the image size when nothing is to change", async () => {
    const drawn = await imageOf({ aspectRatio: "3:2" });
    const task = { kind: "edit", image: drawn.image, mask: null, strength: 0 } as const;
    const { image } = await imageOf({ task });
    const read = ({ bytes }: ImageFile) => sharp(bytes).removeAlpha().raw().toBuffer();
    expect((await read(image)).equals(await read(drawn.image))).toBe(true);
  });

  it("return invalid-request for an unsupported image size", async () => {
    const task = { kind: "edit", image: await flat(grey), mask: null, strength: null } as const;
    const outcome = await provider.generate(request({ task, imageSize: "8K" }), call());
    expect(outcome.kind).toBe("invalid-request");
  });

  it("keep more of the image with less strength", async () => {
    const change = async (strength: number) => {
      const task = {
        kind: "edit",
        image: await flat(grey),
        mask: await rightHalf(),
        strength,
      } as const;
      return differenceTo((await imageOf({ task })).image.bytes, grey, 102, 192);
    };
    expect(await change(0.3)).toBeLessThan((await change(1)) / 2);
  });

  it("are the same for the same seed", async () => {
    const task = { kind: "edit", image: await flat(grey), mask: null, strength: null } as const;
    const [one, same, other] = await Promise.all(
      [1, 1, 2].map(async (seed) => (await imageOf({ task, seed })).image.bytes),
    );
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  });

  it("reject an image that cannot be read", async () => {
    const image = { bytes: Buffer.from("not an image"), mediaType: "image/png" } as const;
    const task = { kind: "edit", image, mask: null, strength: null } as const;
    const outcome = await provider.generate(request({ task }), call());
    expect(outcome.kind).toBe("invalid-request");
  });
});

describe("combinations of the built-in illustrator", () => {
  const part = async (description: string, colour: string) => ({
    ...(await flat(colour)),
    role: "part" as const,
    name: null,
    description,
  });

  it("are one scene when all descriptions can be drawn", async () => {
    const references = await Promise.all([
      part("a girl with red hair", "#ff0000"),
      part("a brown dog", "#00ff00"),
      part("a beach at the sea", "#0000ff"),
    ]);
    const { image } = await imageOf({ prompt: "they play", task: { kind: "combine" }, references });
    const drawn = await imageOf({ prompt: "they play", references: [] });
    expect(image.bytes).not.toEqual(drawn.image.bytes);
    // The images themselves are not used.
    expect(await shareOf(image.bytes, [255, 0, 0])).toBeLessThan(0.01);
  });

  it("make the same collage of one image used three times as of three copies of it", async () => {
    const one = await part("xyzzy", "#3377aa");
    const copyOf = () => ({ ...one, bytes: Buffer.from(one.bytes) });
    const collageOf = async (references: ProviderRequest["references"]) => {
      const { image } = await imageOf({ task: { kind: "combine" }, references });
      return Buffer.from(image.bytes);
    };
    const shared = await collageOf([one, one, one]);
    expect(shared.equals(await collageOf([copyOf(), copyOf(), copyOf()]))).toBe(true);
  });

  it.each([
    ["16:9", [2, 5]],
    ["9:16", [3, 4]],
  ])("are otherwise a collage of all images at %s", async (aspectRatio, counts) => {
    const colours = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff"];
    for (const count of counts) {
      const references = await Promise.all(
        colours.slice(0, count).map((colour) => part("xyzzy", colour)),
      );
      const { image } = await imageOf({ task: { kind: "combine" }, references, aspectRatio });
      for (const colour of colours.slice(0, count)) {
        const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
        expect(await shareOf(image.bytes, parts)).toBeGreaterThan(0.7 / count / 1.5);
      }
    }
  });

  /** The share of pixels close to a colour. */
  async function shareOf(bytes: Uint8Array, colour: readonly number[]): Promise<number> {
    const { data } = await sharp(bytes)
      .removeAlpha()
      .resize({ width: 64, height: 64, fit: "fill", kernel: "nearest" })
      .raw()
      .toBuffer({ resolveWithObject: true });
    let found = 0;
    for (let index = 0; index < data.length; index += 3) {
      if (colour.every((value, at) => Math.abs(value - (data[index + at] ?? 0)) < 24)) found += 1;
    }
    return found / (64 * 64);
  }
});

describe("the built-in diagram model", () => {
  const diagram = (change: Partial<DiagramTask> = {}): DiagramTask => ({
    kind: "diagram",
    source: null,
    language: "text",
    direction: "right",
    palette: [],
    ...change,
  });

  it("lays out the words of the prompt as SVG and PNG of the same shape", async () => {
    const { image, svg } = await imageOf({
      model: "diagram",
      prompt: "user → API → queue",
      task: diagram(),
    });
    expect(svg).toContain("<title>queue</title>");
    const { width, height } = await sharp(image.bytes).metadata();
    expect(width).toBe(1024);
    expect(height).toBeLessThan(400);
  });

  it("returns the position of a syntax error", async () => {
    const task = diagram({ language: "dot", source: "digraph {\n a -> ;\n}" });
    const outcome = await provider.generate(request({ model: "diagram", task }), call());
    expect(outcome).toMatchObject({
      kind: "invalid-request",
      message: expect.stringContaining("line 2, column 7") as string,
    });
  });

  it.each([
    ["whose thread does not start in time", { diagrams: createDiagrams({ startMs: 1 }) }],
    ["whose process does not start in time", { svgDrawer: createSvgDrawer({ startMs: 1 }) }],
  ])("is unavailable, not wrong, for a diagram %s on a busy machine", async (_, tools) => {
    const outcome = await createBuiltinProvider(tools).generate(
      request({ model: "diagram", prompt: "user → API", imageSize: "4K", task: diagram() }),
      call(),
    );
    expect(outcome).toMatchObject({ kind: "unavailable", isMachineBusy: true });
  });

  it("limits the key of a diagram that takes too much CPU time", async () => {
    const diagrams = createDiagrams({ deadlineMs: 10, wallMs: 3_600_000 });
    const nodes = Array.from({ length: 28 }, (_, index) => index);
    const edges = nodes.flatMap((from) => nodes.slice(from + 1).map((to) => `${from}--${to}`));
    const task = diagram({ language: "dot", source: `graph{splines=curved ${edges.join(" ")}}` });
    const outcome = await createBuiltinProvider({ diagrams }).generate(
      request({ model: "diagram", task }),
      call(),
    );
    expect(outcome).toMatchObject({
      kind: "invalid-request",
      problem: { code: "diagram_invalid" },
      wasExpensive: true,
    });
  });

  it("returns diagram_invalid for a layout that needs too much memory", async () => {
    const task = diagram({ language: "dot", source: "digraph { a -> b [minlen=100000] }" });
    const outcome = await provider.generate(request({ model: "diagram", task }), call());
    expect(outcome).toMatchObject({
      kind: "invalid-request",
      problem: { code: "diagram_invalid" },
    });
  });
});

describe("the built-in graphic model", () => {
  const graphic = (change: Partial<GraphicTask> = {}): GraphicTask => ({
    kind: "graphic",
    graphic: "icon",
    palette: ["#102030", "#c04010", "#f0e0b0", "#308060"],
    background: "transparent",
    ...change,
  });
  const ask = (prompt: string, change: Partial<GraphicTask> = {}, seed = 7) =>
    imageOf({ model: "graphic", prompt, seed, task: graphic(change) });

  it("draws what the prompt names in the palette, on a transparent background", async () => {
    const { image, svg = "" } = await ask("a red lighthouse");
    const colours = new Set(svg?.match(/#[0-9a-f]{6}/g));
    expect([...colours].every((colour) => graphic().palette.includes(colour))).toBe(true);
    const { data } = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
    expect(data.some((value, index) => index % 4 === 3 && value === 255)).toBe(true);
  });

  it("fills the background with its colour", async () => {
    const { image } = await ask("a fox", { background: "#abcdef" });
    const { data } = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 4)]).toEqual([0xab, 0xcd, 0xef, 255]);
  });

  it.each(["a plane", "a hot air balloon", "a kite", "a rocket", "an owl", "a whale"])(
    "does not cut %s at the edges",
    async (prompt) => {
      const { data, info } = await sharp((await ask(prompt)).image.bytes)
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      const alphaAt = (x: number, y: number) => data[(y * width + x) * 4 + 3] ?? 0;
      const edge = Array.from({ length: width }, (_, at) => at);
      const cut = edge.filter((at) =>
        [alphaAt(at, 0), alphaAt(at, height - 1), alphaAt(0, at), alphaAt(width - 1, at)].some(
          (alpha) => alpha > 128,
        ),
      );
      expect(cut).toEqual([]);
    },
  );

  it("is the same for the same seed, and another emblem for another seed", async () => {
    const svgs = await Promise.all(
      [1, 1, 2].map(async (seed) => (await ask("xyzzy", {}, seed)).svg),
    );
    expect(svgs[0]).toBe(svgs[1]);
    expect(svgs[0]).not.toBe(svgs[2]);
  });

  it("draws the initials of a name in a logo as outlines", async () => {
    const { svg } = await ask('a logo for "Acme Tools"', { graphic: "logo" });
    expect(svg).toContain("<title>AT</title>");
    expect(svg).not.toContain("<text");
  });
});
