import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { draw as drawRequest, type DrawRequest } from "./draw.ts";
import type { ReferenceWords } from "./read-request.ts";

const draw = (change: Partial<DrawRequest> = {}): Promise<Uint8Array> =>
  drawRequest({
    kind: "scene",
    prompt: "a red house and three sheep on a hill",
    aspectRatio: "1:1",
    imageSize: "1K",
    seed: 7,
    references: [],
    ...change,
  });

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const mira: ReferenceWords = {
  role: "character",
  name: "Mira",
  description: "a girl with long red hair and a green coat",
};

const shrink = async (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes).resize(64, 64).raw().toBuffer();

describe("draw", () => {
  it.each(["scene", "pattern"] as const)("returns the same bytes for the same %s", async (kind) => {
    expect(hashOf(await draw({ kind }))).toBe(hashOf(await draw({ kind })));
  });

  it.each(["scene", "pattern"] as const)(
    "draws another %s for another prompt or seed",
    async (kind) => {
      const hashes = await Promise.all(
        [{}, { seed: 8 }, { prompt: "zyx wvu" }, { prompt: "zyx wvu tsr" }].map(async (change) =>
          hashOf(await draw({ kind, ...change })),
        ),
      );
      expect(new Set(hashes).size).toBe(4);
    },
  );

  it("uses the descriptions of references", async () => {
    const plain = await draw({ references: [mira] });
    const other = await draw({ references: [{ ...mira, description: "an old man" }] });
    expect(hashOf(other)).not.toBe(hashOf(plain));
  });

  it("ignores references when it draws a pattern", async () => {
    expect(hashOf(await draw({ kind: "pattern", references: [mira] }))).toBe(
      hashOf(await draw({ kind: "pattern" })),
    );
  });

  it.each([
    ["1:1", "1K", 1024, 1024],
    ["16:9", "1K", 1368, 768],
    ["2:3", "1K", 840, 1256],
    ["3:4", "2K", 1776, 2368],
  ])(
    "draws %s at %s as %i × %i opaque pixels without text",
    async (aspectRatio, imageSize, width, height) => {
      const bytes = await draw({ aspectRatio, imageSize });
      expect(await sharp(bytes).metadata()).toMatchObject({
        format: "png",
        width,
        height,
        hasAlpha: false,
      });
      expect(Buffer.from(bytes).includes("tEXt")).toBe(false);
      expect(Buffer.from(bytes).includes("iTXt")).toBe(false);
    },
  );

  it("draws the same scene at a higher resolution", { tags: "full" }, async () => {
    const [small, large] = await Promise.all([draw(), draw({ imageSize: "2K" })]);
    const [one, other] = await Promise.all([shrink(small), shrink(large)]);
    const difference = one.reduce(
      (sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)),
      0,
    );
    expect(difference / one.length).toBeLessThan(3);
  });

  it.each([{ imageSize: "8K" }, { aspectRatio: "5:4" }, { imageSize: "toString" }])(
    "throws a RangeError for the unsupported option %o",
    async (change) => {
      await expect(draw(change)).rejects.toThrow(RangeError);
    },
  );
});
