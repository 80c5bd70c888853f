import { pixelsOf } from "../fit-pixels.ts";
import {
  allParameters,
  everyModel,
  everySeed,
  noOwnSettings,
  serverOptions,
  type Kind,
} from "../kind.ts";
import { areas, basic, createAutomatic1111Provider } from "./automatic1111.ts";
import { discoverAutomatic1111 } from "./discover.ts";

export const automatic1111: Kind<null, null> = {
  keyVariable: null,
  servers: "many",
  own: noOwnSettings,
  canSize: everyModel,
  sendsSeed: everySeed,
  parameters: () => allParameters,
  pixels: (wanted) => pixelsOf(wanted, areas),
  loads: (model) => model,
  discovery: { authorize: basic, find: discoverAutomatic1111 },
  create: (settings) => createAutomatic1111Provider(serverOptions(settings)),
};
