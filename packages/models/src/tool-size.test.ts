import { AppError, type UpscaleTask } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { sizeOfResult } from "./tool-size.ts";

const small = { width: 640, height: 512 };

describe("sizeOfResult of an upscaled image", () => {
  it("names the nearest size in the shape of the image", () => {
    expect(refusal({ width: 80, height: 64 }, small)).toMatchObject({
      message: expect.stringMatching(/Use 640x512\.$/) as string,
      details: [{ path: "width", nearest: [small] }],
    });
    expect(refusal({ width: 10_000, height: 8000 }, small)).toMatchObject({
      details: [{ nearest: [{ width: 2560, height: 2048 }] }],
    });
    const { details } = refusal({ width: 15_000, height: 9000 }, { width: 5000, height: 3000 });
    expect(details).toMatchObject([{ nearest: [{ width: 8164, height: 4898 }] }]);
  });

  it("accepts each size that it names", () => {
    for (const source of [small, { width: 5000, height: 3000 }, { width: 9000, height: 20 }]) {
      const { details } = refusal({ width: 16_000, height: 16_000 }, source);
      const [nearest] = (details as unknown as [{ nearest: [typeof small] }])[0].nearest;
      expect(sizeOfResult({ kind: "upscale", scale: nearest }, source)).toEqual(nearest);
    }
  });

  it("advises only factors that requests may name", () => {
    expect(refusal(4, { width: 3000, height: 3000 }).message).toContain("at most 2.1.");
    expect(refusal(4, { width: 4096, height: 4096 }).message).toContain(
      "Scale a smaller image up.",
    );
  });
});

function refusal(scale: UpscaleTask["scale"], source: typeof small): AppError {
  try {
    sizeOfResult({ kind: "upscale", scale }, source);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("the size was accepted");
}
