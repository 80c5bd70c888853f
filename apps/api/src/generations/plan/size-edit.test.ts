import { loadProviders, readCatalogue } from "@atelier/models";
import type { GenerationPlan } from "@atelier/schemas";
import { expect, it } from "vitest";
import { sizeEdit } from "./size-edit.ts";

const file = undefined;
const keys = { OPENAI_API_KEY: "key" };
const catalogue = await readCatalogue(file, await loadProviders({ file, keys, environment: {} }));

/** An edit of the image of a URL, whose size is not known. */
function planOf(imageSize: string, scale: number) {
  const references = [
    { role: "source", source: { kind: "url", url: "https://example.com/a.png" } },
  ];
  const after = [{ task: { kind: "upscale", scale }, model: "builtin-upscaler" }];
  const renders = [{ spec: { imageSize, references, after } }];
  return { operation: "edit", model: "gpt-image-2", renders } as unknown as GenerationPlan;
}

it("refuses a step after a vendor's edit that exceeds a limit in each listed size", () => {
  expect(() => sizeEdit(planOf("4K", 4), null, { catalogue })).toThrow(
    expect.objectContaining({ code: "unsupported_image_size" }),
  );
  const plan = planOf("1K", 4);
  expect(sizeEdit(plan, null, { catalogue })).toBe(plan);
});
