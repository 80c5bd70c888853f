import { allParameters, noOwnSettings, type Kind } from "../kind.ts";

/** Providers whose adapters are passed to the worker in code. */
export const custom: Kind<null, null> = {
  keyVariable: null,
  servers: "vendor",
  own: noOwnSettings,
  canSize: () => false,
  parameters: () => allParameters,
  pixels: () => null,
  loads: (model) => model,
  discovery: null,
  create: () => null,
};
