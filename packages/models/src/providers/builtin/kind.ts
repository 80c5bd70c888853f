import { pixelSize } from "@atelier/illustrator/pixel-size";
import { everyModel, noOwnSettings, type Kind } from "../kind.ts";

/** The provider and lane of test jobs. */
export const testLane = "builtin-test";

/**
 * The built-in models. Diagrams have a provider, and therefore a lane, of their own: a layout takes
 * seconds of CPU time for a source of 3 kB, and must not delay images. So do tests, which cost nothing.
 */
export const builtins: readonly string[] = ["builtin", "builtin-diagrams", testLane];

export const builtin: Kind<null, null> = {
  keyVariable: null,
  servers: "vendor",
  own: noOwnSettings,
  canSize: everyModel,
  parameters: () => [],
  // Diagrams have a shape of their own.
  pixels: ({ aspectRatio, imageSize, model }) =>
    model === "diagram" ? null : pixelSize(aspectRatio, imageSize),
  loads: (model) => model,
  discovery: null,
  async create({ name }) {
    if (name === testLane) return (await import("./test-provider.ts")).createTestProvider();
    return (await import("./builtin.ts")).createBuiltinProvider();
  },
};
