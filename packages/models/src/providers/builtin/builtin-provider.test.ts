import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ProviderCall, ProviderReference, ProviderRequest } from "../../provider.ts";
import { createBuiltinProvider, pixelSize } from "./index.ts";

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

async function draw(change: Partial<ProviderRequest> = {}): Promise<Uint8Array> {
  const outcome = await provider.generate(request(change), call());
  if (outcome.kind !== "image") throw new Error(`no image but ${outcome.kind}`);
  expect(outcome.image.mediaType).toBe("image/png");
  return outcome.image.bytes;
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const mira: ProviderReference = {
  role: "character",
  name: "Mira",
  description: "a girl with long red hair and a green coat",
  bytes: new Uint8Array(),
  mediaType: "image/png",
};

const shrink = async (bytes: Uint8Array): Promise<Buffer> =>
  sharp(bytes).resize(64, 64).raw().toBuffer();

describe("the built-in provider", () => {
  it.each(["illustrator", "pattern"])(
    "%s gives the same bytes for the same request",
    async (model) => {
      const first = await draw({ model });
      const second = await createBuiltinProvider().generate(request({ model }), call());
      expect(second.kind === "image" && hashOf(second.image.bytes)).toBe(hashOf(first));
    },
  );

  it.each(["illustrator", "pattern"])(
    "%s gives other pictures for other prompts and seeds",
    async (model) => {
      const hashes = await Promise.all(
        [{}, { seed: 8 }, { prompt: "zyx wvu" }, { prompt: "zyx wvu tsr" }].map(async (change) =>
          hashOf(await draw({ model, ...change })),
        ),
      );
      expect(new Set(hashes).size).toBe(4);
    },
  );

  it("draws on what references say, not on their pixels", async () => {
    const plain = await draw({ references: [mira] });
    const pixels = await draw({ references: [{ ...mira, bytes: new Uint8Array([1, 2, 3]) }] });
    const other = await draw({ references: [{ ...mira, description: "an old man" }] });
    expect(hashOf(pixels)).toBe(hashOf(plain));
    expect(hashOf(other)).not.toBe(hashOf(plain));
  });

  it("pattern ignores references", async () => {
    expect(hashOf(await draw({ model: "pattern", references: [mira] }))).toBe(
      hashOf(await draw({ model: "pattern" })),
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

  it("draws the same scene at a higher resolution", async () => {
    const [small, large] = await Promise.all([draw(), draw({ imageSize: "2K" })]);
    const [one, other] = await Promise.all([shrink(small), shrink(large)]);
    const difference = one.reduce(
      (sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)),
      0,
    );
    expect(difference / one.length).toBeLessThan(3);
  });

  it("refuses a size, ratio or model that it does not have", async () => {
    for (const change of [
      { imageSize: "8K" },
      { aspectRatio: "5:4" },
      { model: "painter" },
      { imageSize: "toString" },
    ]) {
      expect((await provider.generate(request(change), call())).kind).toBe("invalid-request");
    }
  });

  it("is unavailable once the call is aborted", async () => {
    const outcome = await provider.generate(request(), call(AbortSignal.abort()));
    expect(outcome.kind).toBe("unavailable");
  });
});

describe("pixelSize", () => {
  it("has the area of 1024², 2048² or 4096² in multiples of 8", () => {
    for (const [imageSize, edge] of [
      ["1K", 1024],
      ["2K", 2048],
      ["4K", 4096],
    ] as const) {
      for (const ratio of ["1:1", "4:3", "3:4", "3:2", "2:3", "16:9", "9:16", "21:9"]) {
        const size = pixelSize(ratio, imageSize);
        const [across = 0, down = 0] = ratio.split(":").map(Number);
        expect(size).not.toBeNull();
        if (size === null) continue;
        expect(size.width % 8).toBe(0);
        expect(size.height % 8).toBe(0);
        expect(Math.abs((size.width * size.height) / edge ** 2 - 1)).toBeLessThan(0.015);
        expect(Math.abs(size.width / size.height / (across / down) - 1)).toBeLessThan(0.015);
      }
    }
    expect(pixelSize("1:1", "1K")).toEqual({ width: 1024, height: 1024 });
    expect(pixelSize("1:2", "1K")).toBeNull();
  });
});
