import { pixelsOf } from "../fit-pixels.ts";
import { noOwnSettings, vendorOptions, type Kind } from "../kind.ts";
import { createBlackForestLabsProvider, flux2Areas, isFlux2 } from "./black-forest-labs.ts";

export const blackForestLabs: Kind<null, "BFL_API_KEY"> = {
  keyVariable: "BFL_API_KEY",
  servers: "vendor",
  own: noOwnSettings,
  canSize: isFlux2,
  parameters: () => [],
  pixels: (wanted) => (isFlux2(wanted.model) ? pixelsOf(wanted, flux2Areas) : null),
  loads: (model) => model,
  discovery: null,
  create: (settings, { fetchResult }) =>
    createBlackForestLabsProvider({ ...vendorOptions(settings), fetchResult }),
};
