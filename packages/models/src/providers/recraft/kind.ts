import { noOwnSettings, vendorOptions, type Kind } from "../kind.ts";
import { recraftPixels } from "./recraft-pixels.ts";

export const recraft: Kind<null, "RECRAFT_API_KEY"> = {
  keyVariable: "RECRAFT_API_KEY",
  servers: "vendor",
  own: noOwnSettings,
  canSize: () => false,
  parameters: () => [],
  pixels: ({ aspectRatio, imageSize, model }) => recraftPixels(model, aspectRatio, imageSize),
  loads: (model) => model,
  discovery: null,
  async create(settings, { svgDrawer }) {
    const { createRecraftProvider } = await import("./recraft.ts");
    return createRecraftProvider({ ...vendorOptions(settings), svgDrawer });
  },
};
