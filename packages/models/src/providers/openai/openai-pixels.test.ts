import { describe, expect, it } from "vitest";
import { openAiPixels } from "./openai-pixels.ts";

const ratios = ["1:1", "5:4", "4:5", "4:3", "3:4", "3:2", "2:3", "16:9", "9:16", "21:9", "9:21"];

describe("OpenAI's image sizes", () => {
  it.each(["1K", "2K", "4K"])("follow the vendor's rules at %s", (imageSize) => {
    for (const aspectRatio of ratios) {
      const size = openAiPixels(aspectRatio, imageSize);
      const { height = 0, width = 0 } = size ?? {};
      const [across = 1, down = 1] = aspectRatio.split(":").map(Number);
      expect(width / height).toBeCloseTo(across / down, 5);
      expect([width % 16, height % 16]).toEqual([0, 0]);
      expect(Math.max(width, height)).toBeLessThanOrEqual(3840);
      expect(width * height).toBeGreaterThanOrEqual(655_360);
      expect(width * height).toBeLessThanOrEqual(8_294_400);
    }
  });

  it("are the three sizes of older models at 1K", () => {
    expect(["1:1", "3:2", "2:3"].map((ratio) => openAiPixels(ratio, "1K"))).toEqual([
      { width: 1024, height: 1024 },
      { width: 1536, height: 1024 },
      { width: 1024, height: 1536 },
    ]);
  });

  it.each([
    ["7:5", "1K"],
    ["1:1", "8K"],
    ["constructor", "1K"],
    ["1:1", "constructor"],
  ])("are undefined for %s at %s", (aspectRatio, imageSize) => {
    expect(openAiPixels(aspectRatio, imageSize)).toBeNull();
  });
});
