import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import {
  compareLook,
  createWatermarkKey,
  embedWatermark,
  judgeAgreement,
  prepareSearch,
  searchWatermarks,
  takeLook,
  type Pixels,
} from "./index.ts";
import { landscape, toPixels, toSharp } from "./testing/pictures.ts";

const key = createWatermarkKey(Buffer.from("a secret of one installation"));
const id = "9f3c2a7b11d0e845";

function judge(pixels: Pixels, original: Pixels) {
  const searched = prepareSearch(pixels)!;
  const [found] = searchWatermarks(searched, [key]);
  expect(found?.id).toBe(id);
  return judgeAgreement(compareLook(searched, found!.placement, takeLook(original)!));
}

/** The other picture that is shown where the mark is read. */
async function beside(one: Pixels, other: Pixels): Promise<Pixels> {
  const raw = { width: one.width, height: one.height, channels: one.channels };
  const page = {
    width: 2 * one.width,
    height: one.height,
    channels: 3,
    background: "#fff",
  } as const;
  return toPixels(
    sharp({ create: page }).composite(
      [other, one].map(({ data }, index) => ({
        input: Buffer.from(data),
        raw,
        left: index * one.width,
        top: 0,
      })),
    ),
  );
}

function discs(width: number, height: number): Promise<Pixels> {
  const drawing = Array.from({ length: 70 }, (_, at) => {
    const [x, y] = [70 * (at % 10) + 35, 86 * Math.floor(at / 10) + 43];
    return `<circle cx="${x}" cy="${y}" r="${18 + ((at * 7) % 13)}" fill="#5a7"/>`;
  });
  const size = `width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="#eed"/>${drawing.join("")}</svg>`;
  return toPixels(sharp(Buffer.from(svg)).removeAlpha());
}

const part = (p: Pixels, left: number, top: number, width: number, height: number) =>
  toPixels(toSharp(p).extract({ left, top, width, height }));

const copies: Record<string, (p: Pixels) => Promise<Pixels>> = {
  "a copy": async (p) => p,
  "a small JPEG": async (p) =>
    toPixels(sharp(await toSharp(p).resize(400).jpeg({ quality: 60 }).toBuffer())),
  "a part": (p) => part(p, 300, 180, 400, 346),
  "a mirrored part": async (p) => part(await toPixels(toSharp(p).flop()), 90, 120, 560, 400),
  "a turn by 90°": (p) => toPixels(toSharp(p).rotate(90)),
  "a turn by 2°": (p) => toPixels(toSharp(p).rotate(2, { background: "#fff" })),
  "a stretched copy": (p) => toPixels(toSharp(p).resize(640, 360, { fit: "fill" })),
  "a copy on a page": (p) =>
    toPixels(toSharp(p).extend({ left: 90, right: 40, top: 60, bottom: 120, background: "#eee" })),
  "a copy beside another picture": async (p) => beside(p, await landscape(768, 576, 9)),
};

describe("the look of a marked image", { timeout: 20_000 }, () => {
  let original: Pixels;

  beforeAll(async () => {
    original = await landscape(768, 576, 1);
    embedWatermark(original, id, key);
  });

  const all = Object.entries(copies);
  for (const [options, some, seeds] of [
    [{}, all.slice(0, 2), [2]],
    [{ tags: "full" }, all.slice(2), [3, 4]],
  ] as const) {
    it.each(some)("confirms the mark of %s", options, async (_, change) => {
      expect(judge(await change(original), original)).toBe("same");
    });

    it.each(seeds)("refutes the mark of another picture (%i)", options, async (seed) => {
      const other = await toPixels(toSharp(await landscape(768, 576, seed)).rotate(180));
      embedWatermark(other, id, key);
      expect(judge(other, original)).toBe("different");
      expect(judge(await part(other, 100, 0, 500, 400), original)).toBe("different");
    });
  }

  it("confirms the mark of a half, beside another half that is turned and inverted", async () => {
    const half = await part(original, 0, 0, 384, 576);
    const turned = await toPixels(toSharp(await toPixels(toSharp(half).rotate(180))).negate());
    const halves = await beside(await part(original, 384, 0, 384, 576), turned);
    expect(judge(halves, original)).toBe("same");
  });

  describe("of a flat picture", () => {
    let sky: Pixels;

    beforeAll(async () => {
      const gradient = Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><linearGradient id="a">
          <stop stop-color="#8ab"/><stop offset="1" stop-color="#9bc"/></linearGradient>
          <rect width="600" height="600" fill="url(#a)"/></svg>`,
      );
      sky = await toPixels(sharp(gradient).removeAlpha());
      embedWatermark(sky, id, key);
    });

    it("confirms and refutes nothing on a flat picture", async () => {
      expect(judge(sky, sky)).toBe("undecided");
      expect(judge(await part(sky, 90, 60, 400, 450), sky)).toBe("undecided");
    });

    it("refutes its mark on a picture that shows something", async () => {
      const other = await discs(700, 600);
      embedWatermark(other, id, key);
      expect(judge(other, sky)).toBe("different");
    });
  });

  it("is not taken of an image that is too small for a mark", async () => {
    expect(takeLook(await landscape(400, 255))).toBeNull();
  });
});
