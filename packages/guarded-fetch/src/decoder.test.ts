import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDecoder, type Decoder, type DecoderOptions } from "./decoder.ts";
import { noise, twoColours, whitePng } from "./testing/images.ts";

const limits = { maxPixels: 40_000_000, cpuMs: 15_000, maxResidentBytes: 1_000_000_000 };

function open(options: Partial<DecoderOptions> = {}): Decoder {
  const decoder = createDecoder({ ...limits, ...options });
  onTestFinished(() => decoder.close());
  return decoder;
}

describe("a decoder in a separate process", { timeout: 30_000 }, () => {
  test("returns the cleaned image and the resources used", async () => {
    const image = await open().decode(await twoColours().png().toBuffer());
    expect(image).toMatchObject({ mediaType: "image/png", width: 40, height: 20 });
    expect(await sharp(image.bytes).metadata()).toMatchObject({ width: 40, height: 20 });
    expect(image.cpuMs).toBeGreaterThan(0);
  });

  test("scales an image of 40 megapixels down within its limits", { tags: "full" }, async () => {
    const size = { width: 8_000, height: 5_000, channels: 4, background: "#336699" } as const;
    const image = await open().decode(await sharp({ create: size }).png().toBuffer());
    expect(image).toMatchObject({ width: 5_181, height: 3_238 });
    expect(image.peakBytes).toBeGreaterThan(0);
  });

  test("rejects a damaged image and decodes the next", async () => {
    const decoder = open();
    const complete = await noise().jpeg().toBuffer();
    const half = decoder.decode(complete.subarray(0, complete.length / 2));
    const next = decoder.decode(complete);
    await expect(half).rejects.toMatchObject({ reason: "undecodable", retryable: false });
    expect(await next).toMatchObject({ width: 200, height: 200 });
  });

  test("rejects an image that exceeds the memory limit and replaces the process", async () => {
    // Less than the process uses at its start.
    const withoutMemory = open({ maxResidentBytes: 1 });
    const large = whitePng(6_000, 6_000);
    const refusals = await Promise.allSettled([
      withoutMemory.decode(large),
      withoutMemory.decode(large),
    ]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        status: "rejected",
        reason: {
          reason: "undecodable",
          retryable: false,
          message: expect.stringContaining("memory"),
        },
      });
    }
  });

  test("rejects an image that exceeds the limit of CPU time and kills the process", async () => {
    const slow = open({ cpuMs: 10, wallMs: 3_600_000 });
    await expect(slow.decode(whitePng(6_000, 6_000))).rejects.toMatchObject({
      reason: "undecodable",
      retryable: false,
      message: expect.stringContaining("CPU time"),
    });
  });

  test("does not blame an image for a busy machine", async () => {
    const busy = open({ startMs: 1 });
    await expect(busy.decode(whitePng(6_000, 6_000))).rejects.toMatchObject({
      name: "LimitError",
      reason: "busy",
    });
  });

  test("rejects queued images when it is closed", async () => {
    const decoder = open();
    const image = await noise().png().toBuffer();
    const both = Promise.allSettled([decoder.decode(image), decoder.decode(image)]);
    decoder.close();
    for (const one of await both) expect(one).toMatchObject({ status: "rejected" });
  });
});
