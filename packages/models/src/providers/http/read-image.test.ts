import { cpuGrowth } from "@atelier/kit/cpu-growth";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { CallEnded } from "./call-ended.ts";
import { readBase64, readImage } from "./read-image.ts";

const requestedSize = { width: 128, height: 96 };

function picture(width = 128, height = 96): Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });
}

async function endOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  return error instanceof CallEnded ? error.outcome.kind : "none";
}

describe("an image in a response", () => {
  it.each(["png", "jpeg", "webp"] as const)("is accepted as %s when complete", async (format) => {
    const bytes = await picture().toFormat(format).toBuffer();
    expect(await readImage(bytes, requestedSize)).toMatchObject({
      bytes,
      mediaType: `image/${format}`,
    });
    const padded = Buffer.concat([bytes, Buffer.from("\n")]);
    expect((await readImage(padded, requestedSize)).bytes).toEqual(padded);
    for (const part of [0.1, 0.5, 0.99]) {
      const cut = bytes.subarray(0, Math.floor(bytes.byteLength * part));
      expect(await endOf(readImage(cut, requestedSize))).toBe("unknown");
    }
  });

  it("is incomplete even if its embedded thumbnail is complete", async () => {
    const bytes = await picture().jpeg().toBuffer();
    const thumbnail = await picture(16, 12).jpeg().toBuffer();
    const length = Buffer.alloc(2);
    length.writeUInt16BE(thumbnail.byteLength + 2);
    const half = bytes.subarray(2, bytes.byteLength / 2);
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1]), length, thumbnail]);
    const cut = Buffer.concat([bytes.subarray(0, 2), segment, half]);
    expect(await endOf(readImage(cut, requestedSize))).toBe("unknown");
  });

  it("is rejected in any other format", async () => {
    const gif = await picture().gif().toBuffer();
    for (const bytes of [gif, Buffer.from("<html>"), Buffer.alloc(0)]) {
      expect(await endOf(readImage(bytes, requestedSize))).toBe("unknown");
    }
    const damaged = Buffer.from("\x89PNG\r\n\x1a\nIDAT....IEND....", "latin1");
    expect(await endOf(readImage(damaged, requestedSize))).toBe("unknown");
  });

  it.each([
    [128, 96, "none"],
    [132, 96, "none"],
    [256, 192, "none"],
    [64, 48, "wrong-size"],
    [96, 128, "wrong-size"],
    [128, 128, "wrong-size"],
  ])("checks %i × %i where 128 × 96 was requested", async (width, height, kind) => {
    const bytes = await picture(width, height).png().toBuffer();
    expect(await endOf(readImage(bytes, requestedSize))).toBe(kind);
  });
});

describe("base64", () => {
  it.each([
    ["aGk=", "hi"],
    ["data:image/png;base64,aGk=", "hi"],
    ["aG\nk=", "hi"],
    ["aGk=\r\n", "hi"],
    ["aGkh", "hi!"],
  ])("decodes %j", (text, expected) => {
    expect(readBase64(text).toString()).toBe(expected);
  });

  it.each([
    "",
    "https://example.org/a.png",
    "aGk=!",
    "=",
    "aGk===",
    "aGk= =",
    "data:text/html;base64,aGk=",
  ])("rejects %j", (text) => {
    expect(() => readBase64(text)).toThrow(CallEnded);
  });

  it.each(["\n", "a", "=", "\r\n", "a\n"])("is checked in linear time with repeated %j", (part) => {
    const read = (length: number) =>
      expect(() => readBase64(`A${part.repeat(length / part.length)}!`)).toThrow(CallEnded);
    expect(cpuGrowth(read, 40_000)).toBeLessThan(20);
  });
});
