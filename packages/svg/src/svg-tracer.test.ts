import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { SvgError } from "./sanitize-svg.ts";
import { createSvgTracer } from "./svg-tracer.ts";

function open(limits: Parameters<typeof createSvgTracer>[0] = {}) {
  const tracer = createSvgTracer(limits);
  onTestFinished(() => tracer.close());
  return tracer;
}

/** A red disc on white, or on nothing. */
function disc(background = "#ffffff"): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="${background}"/><circle cx="150" cy="100" r="80" fill="#d02020"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

function noise(edge: number): Promise<Buffer> {
  let state = 1;
  const bytes = Buffer.alloc(edge * edge * 3).map(() => {
    state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff;
    return state >> 16;
  });
  return sharp(bytes, { raw: { width: edge, height: edge, channels: 3 } })
    .png()
    .toBuffer();
}

const fills = (svg: string) => new Set(svg.match(/fill="[^"]*"/g));

it("traces shapes in the colours of the image, and draws them in its size", async () => {
  const { svg, png } = await open().trace(await disc(), 2);
  expect(svg).toMatch(/^<svg [^>]*width="300" height="200"/);
  expect([...fills(svg)].toSorted()).toEqual(['fill="#d02020"', 'fill="#ffffff"']);
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 300, height: 200, channels: 4 });
  const at = (x: number, y: number) => [...data.subarray((y * 300 + x) * 4, (y * 300 + x) * 4 + 4)];
  expect(at(150, 100)).toEqual([0xd0, 0x20, 0x20, 255]);
  expect(at(5, 5)).toEqual([255, 255, 255, 255]);
});

it("keeps a transparent background", async () => {
  const { png } = await open().trace(await disc("none"), 4);
  const { data } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  expect(data[3]).toBe(0);
});

it("refuses an image that ends early", async () => {
  const image = (await noise(128)).subarray(0, 5_000);
  await expect(open().trace(image, 2)).rejects.toThrow(new SvgError("The image cannot be traced."));
});

it("has at most the given number of colours", async () => {
  const { svg } = await open().trace(await noise(128), 5);
  expect(fills(svg).size).toBeGreaterThan(1);
  expect(fills(svg).size).toBeLessThanOrEqual(5);
}, 20_000);

it(
  "ends a tracing that takes too much memory, and traces the next image",
  { tags: "full", timeout: 20_000 },
  async () => {
    const large = await sharp({
      create: { width: 6_000, height: 6_000, channels: 3, background: "#fff" },
    })
      .png()
      .toBuffer();
    await expect(open({ maxResidentBytes: 150_000_000 }).trace(large, 2)).rejects.toThrow(
      /too much memory/,
    );
  },
);

it(
  "bounds the time and the result of an image of noise",
  { tags: "full", timeout: 40_000 },
  async () => {
    const { svg } = await open().trace(await noise(1_024), 64);
    expect(svg.length).toBeLessThan(5_000_000);
  },
);

it("refuses an image that cannot be read", async () => {
  await expect(open().trace(Buffer.from("no image"), 2)).rejects.toThrow(SvgError);
});
