import type { Claim } from "@atelier/generations/claims";
import type { MarkedImage } from "@atelier/provenance";
import { createWorkerMetrics } from "@atelier/telemetry";
import { expect, it } from "vitest";
import type { RenderDependencies } from "../../dependencies.ts";
import { watermark } from "./watermark.ts";

async function markWith(signingFallback: string | null) {
  const metrics = createWorkerMetrics({
    certificateExpiresAt: new Date(),
    lanes: [],
    refusalCategories: [],
  });
  const warnings: unknown[] = [];
  const dependencies = {
    marker: { mark: async () => [{ signingFallback }] as unknown as MarkedImage[] },
    catalogue: { entryOf: () => undefined },
    logger: { warn: (fields: object) => warnings.push(fields) },
    metrics,
  } as unknown as RenderDependencies;
  const claim = { renderId: "render-1", model: "acme-1", lane: "acme", spec: {} } as Claim;
  const generated = { image: { bytes: Buffer.alloc(0) }, svg: null } as unknown as Parameters<
    typeof watermark
  >[1];
  await watermark(claim, generated, [], dependencies, new AbortController().signal);
  const { text } = await metrics.scrape();
  const count = /^atelier_signing_fallbacks_total (\d+)$/m.exec(text)?.[1];
  return { count, warnings };
}

it("counts and logs an image that the library signed, with the reason", async () => {
  expect(await markWith("The draft has another layout.")).toEqual({
    count: "1",
    warnings: [{ render: "render-1", reason: "The draft has another layout." }],
  });
});

it("counts nothing when the files have the expected layout", async () => {
  expect(await markWith(null)).toEqual({ count: "0", warnings: [] });
});
