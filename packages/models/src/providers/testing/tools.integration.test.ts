import type { Margins } from "@atelier/schemas";
import { createSvgDrawer } from "@atelier/svg";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ImageFile, ProviderRequest } from "../../provider.ts";
import { createBlackForestLabsProvider } from "../black-forest-labs/black-forest-labs.ts";
import { startBlackForestLabsServer } from "../black-forest-labs/server.ts";
import { createRecraftProvider } from "../recraft/recraft.ts";
import { startRecraftServer } from "../recraft/server.ts";
import { callAdapter } from "./call-adapter.ts";
import { fetchPlainly } from "./fetch-plainly.ts";
import type { ProtocolServer } from "./protocol-server.ts";

const apiKey = "key-of-the-tests-0123456789abcdef";
const size = { width: 300, height: 200 };
const margins: Margins = { top: 0, right: 90, bottom: 40, left: 60 };
const extended = { width: 450, height: 240 };

let image: ImageFile;
/** The right third is white. */
let mask: Buffer;

beforeAll(async () => {
  const create = { ...size, channels: 3 as const, background: "#c03020" };
  image = { bytes: await sharp({ create }).png().toBuffer(), mediaType: "image/png" };
  const white = { width: 100, height: 200, channels: 3 as const, background: "#fff" };
  mask = await sharp({ create: { ...create, background: "#000" } })
    .composite([{ input: await sharp({ create: white }).png().toBuffer(), left: 200, top: 0 }])
    .toColourspace("b-w")
    .png()
    .toBuffer();
});

/** The number of pixels in a part of a picture that are not those of the image. */
async function changedIn(
  bytes: Uint8Array,
  part: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  },
): Promise<number> {
  const data = await sharp(bytes).removeAlpha().extract(part).raw().toBuffer();
  let changed = 0;
  for (let at = 0; at < data.length; at += 3) {
    if (data.readUIntBE(at, 3) !== 0xc0_30_20) changed += 1;
  }
  return changed;
}

describe("tools at Black Forest Labs", () => {
  let server: ProtocolServer;

  beforeAll(async () => {
    server = await startBlackForestLabsServer({ apiKey });
  });
  beforeEach(() => server.behave(null));
  afterAll(() => server.close());

  async function use(request: Partial<ProviderRequest>) {
    const provider = createBlackForestLabsProvider({
      apiKey,
      baseUrl: server.url,
      fetchResult: fetchPlainly,
      pollIntervalMs: 1,
    });
    const outcome = await callAdapter(provider, { prompt: "", ...request });
    if (outcome.kind !== "image") throw new Error(JSON.stringify(outcome));
    const sent = server.calls.findLast(({ method }) => method === "POST");
    return { image: outcome.image.bytes, sent: JSON.parse(String(sent?.body)) as object };
  }

  it("extends an image by FLUX Outpainting, and keeps its pixels exactly", async () => {
    const task = { kind: "outpaint", image, mask: null, margins } as const;
    const model = "flux-tools/outpainting-v1";
    const made = await use({ model, task, pixels: extended });
    expect(made.sent).toMatchObject({ width: 448, height: 240, reference_offset_x: 64 });
    expect(made.sent).not.toHaveProperty("prompt");
    expect(await sharp(made.image).metadata()).toMatchObject(extended);
    expect(await changedIn(made.image, { left: 60, top: 0, ...size })).toBe(0);
    expect(await changedIn(made.image, { left: 0, top: 0, width: 60, height: 240 })).toBe(60 * 240);
  });

  it.each(["flux-pro-1.0-fill", "flux-2-pro"])(
    "extends an image by an edit of %s, and keeps its pixels exactly",
    async (model) => {
      const task = { kind: "outpaint", image, mask: null, margins } as const;
      const made = await use({ model, prompt: "a wide beach", task, pixels: extended });
      expect(made.sent).toMatchObject({
        prompt: expect.stringMatching(/beyond its edges.* a wide beach/) as string,
      });
      expect(await sharp(made.image).metadata()).toMatchObject(extended);
      expect(await changedIn(made.image, { left: 60, top: 0, ...size })).toBe(0);
      expect(
        await changedIn(made.image, { left: 0, top: 0, width: 40, height: 240 }),
      ).toBeGreaterThan(9_000);
    },
  );

  it("erases by FLUX Erase, without a prompt, in the size of the image", async () => {
    const task = { kind: "erase", image, mask } as const;
    const made = await use({
      model: "flux-tools/erase-v1",
      aspectRatio: "3:2",
      task,
      pixels: size,
    });
    expect(Object.keys(made.sent).toSorted()).toEqual(["image", "mask", "output_format"]);
    expect(await sharp(made.image).metadata()).toMatchObject(size);
    expect(await changedIn(made.image, { left: 0, top: 0, width: 190, height: 200 })).toBe(0);
    expect(await changedIn(made.image, { left: 210, top: 0, width: 90, height: 200 })).toBe(18_000);
  });

  it("varies an image by an edit without a mask", async () => {
    const task = { kind: "variations", image, mask: null, strength: null } as const;
    const made = await use({ model: "flux-2-pro", aspectRatio: "3:2", task });
    expect(made.sent).toMatchObject({ prompt: expect.stringContaining("variation") as string });
    const { width, height } = await sharp(made.image).metadata();
    expect(width / height).toBeCloseTo(1.5, 1);
  });
});

describe("tracing at Recraft", () => {
  let server: ProtocolServer;
  const svgDrawer = createSvgDrawer();

  beforeAll(async () => {
    server = await startRecraftServer({ apiKey });
  });
  beforeEach(() => server.behave(null));
  afterAll(async () => {
    svgDrawer.close();
    await server.close();
  });

  const trace = (pixels: typeof size, traced = image) =>
    callAdapter(createRecraftProvider({ apiKey, baseUrl: `${server.url}/v1`, svgDrawer }), {
      model: "vectorize",
      task: { kind: "vectorize", image: traced, mask: null, colors: null },
      pixels,
    });

  it("returns a sanitised SVG and its drawing in the size of the image", async () => {
    const large = await sharp(image.bytes).resize(600, 400).png().toBuffer();
    const pixels = { width: 600, height: 400 };
    const outcome = await trace(pixels, { bytes: large, mediaType: "image/png" });
    if (outcome.kind !== "image") throw new Error(JSON.stringify(outcome));
    expect(outcome.svg).toMatch(/^<svg /);
    expect(await sharp(outcome.image.bytes).metadata()).toMatchObject(pixels);
  });

  it("refuses an image with edges that the vendor does not take, without a call", async () => {
    const calls = server.calls.length;
    expect(await trace(size)).toMatchObject({
      kind: "invalid-request",
      problem: { code: "reference_invalid" },
    });
    expect(server.calls).toHaveLength(calls);
  });
});
