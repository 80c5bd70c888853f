import type { GenerationPlan, PlannedRender, PlanPrice } from "@atelier/schemas";

interface Wanted {
  readonly model: string;
  readonly lane: string;
  readonly prompt?: string;
}

/** Creates a plan for one image of 0.05 EUR, as the API does. */
export function makeImagePlan(wanted: Wanted): GenerationPlan {
  return {
    kind: "image",
    operation: "image",
    model: wanted.model,
    strictness: "normal",
    request: {},
    metadata: {},
    seed: 1,
    title: null,
    price: atPrice(50_000n),
    renders: [makeRender("image", wanted)],
  };
}

/** The price of a plan, without steps, whatever its number of images. */
export function atPrice(totalMicroEur: bigint): PlanPrice {
  return { eachMicroEur: totalMicroEur, count: 1, stepsMicroEur: 0n };
}

/**
 * Creates one image of a plan, without references.
 *
 * @param waitsFor plan positions of the renders that must be done first.
 */
export function makeRender(
  role: PlannedRender["role"],
  { model, lane, prompt = "a lighthouse" }: Wanted,
  waitsFor: readonly number[] = [],
): PlannedRender {
  const spec = {
    prompt,
    aspectRatio: "1:1",
    imageSize: "1K",
    seed: 1,
    references: [],
    hasClientImages: false,
    name: null,
    state: null,
    title: null,
    texts: [],
  };
  return { role, lane, model, spec, waitsFor };
}
