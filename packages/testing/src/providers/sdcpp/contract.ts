import { createSdcppProvider } from "@atelier/models";
import type { ProviderContract } from "../contract/provider-contract.ts";
import { startSdcppServer } from "./server.ts";

const free = "the operator's own server, without keys and prices";

/** stable-diffusion.cpp's own job API. */
export const sdcppContract: ProviderContract = {
  name: "sdcpp",
  apiKey: null,
  start: startSdcppServer,
  create: ({ limits, url }) => createSdcppProvider({ ...limits, baseUrl: url, pollIntervalMs: 1 }),
  request: { model: "local" },
  refusals: {},
  retryAfter: null,
  notApplicable: {
    refusal: "has no policy of its own",
    "429 with a time": "its 429 never says a time",
    "no credit": free,
    "key not accepted": free,
  },
};
