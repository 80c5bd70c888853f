import sharp from "sharp";
import { expect, it } from "vitest";
import { CallEnded } from "../http/call-ended.ts";
import { fitResult } from "./fit-result.ts";

async function picture(width: number, height: number) {
  const create = { width, height, channels: 3, background: "#c03020" } as const;
  return { bytes: await sharp({ create }).png().toBuffer(), mediaType: "image/png" } as const;
}

it("keeps the file of a result that has the exact size", async () => {
  const image = await picture(40, 20);
  expect(await fitResult(image, { width: 40, height: 20 })).toBe(image);
});

it("scales a larger result down to the exact size", async () => {
  const { bytes } = await fitResult(await picture(80, 40), { width: 40, height: 20 });
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 20 });
});

it("ends the call with wrong-size for a smaller result", async () => {
  const fitting = fitResult(await picture(20, 10), { width: 40, height: 20 });
  await expect(fitting).rejects.toThrow(CallEnded);
  await expect(fitting).rejects.toMatchObject({ outcome: { kind: "wrong-size" } });
});
