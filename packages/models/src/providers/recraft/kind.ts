import { noOwnSettings, vendorOptions, type Kind } from "../kind.ts";
import { recraftPixels } from "./recraft-pixels.ts";
import { createRecraftProvider } from "./recraft.ts";

export const recraft: Kind<null, "RECRAFT_API_KEY"> = {
  keyVariable: "RECRAFT_API_KEY",
  servers: "vendor",
  own: noOwnSettings,
  canSize: () => false,
  parameters: () => [],
  pixels: ({ aspectRatio, imageSize, model }) => recraftPixels(model, aspectRatio, imageSize),
  loads: (model) => model,
  discovery: null,
  create: (settings, { svgDrawer }) =>
    createRecraftProvider({ ...vendorOptions(settings), svgDrawer }),
};
