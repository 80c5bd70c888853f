import { noOwnSettings, vendorOptions, type Kind } from "../kind.ts";

export const stability: Kind<null, "STABILITY_API_KEY"> = {
  keyVariable: "STABILITY_API_KEY",
  servers: "vendor",
  own: noOwnSettings,
  canSize: () => false,
  parameters: () => [],
  pixels: () => null,
  loads: (model) => model,
  discovery: null,
  async create(settings) {
    const { createStabilityProvider } = await import("./stability.ts");
    return createStabilityProvider(vendorOptions(settings));
  },
};
