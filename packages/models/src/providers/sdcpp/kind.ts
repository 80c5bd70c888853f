import { pixelsOf } from "../fit-pixels.ts";
import {
  allParameters,
  bearer,
  everyModel,
  everySeed,
  noOwnSettings,
  serverOptions,
  type Kind,
} from "../kind.ts";
import { discoverSdcpp } from "./discover.ts";
import { areas, createSdcppProvider } from "./sdcpp.ts";

export const sdcpp: Kind<null, null> = {
  keyVariable: null,
  servers: "many",
  own: noOwnSettings,
  canSize: everyModel,
  sendsSeed: everySeed,
  parameters: () => allParameters,
  pixels: (wanted) => pixelsOf(wanted, areas),
  // Its model is chosen at its start.
  loads: () => "",
  discovery: { authorize: bearer, find: discoverSdcpp },
  create: (settings) => createSdcppProvider(serverOptions(settings)),
};
