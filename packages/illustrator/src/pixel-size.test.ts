import { describe, expect, it } from "vitest";
import { pixelSize } from "./pixel-size.ts";

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
