import { seedCount, type PlannedRender } from "@atelier/schemas";

/**
 * Repeats a render for a request with several images. The images differ in their seeds: that of the
 * render, and the following ones; after the largest seed comes 0.
 */
export function repeatRender(render: PlannedRender, count: number): PlannedRender[] {
  return Array.from({ length: count }, (_, index) => ({
    ...render,
    spec: { ...render.spec, seed: (render.spec.seed + index) % seedCount },
  }));
}
