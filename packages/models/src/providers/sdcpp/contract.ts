import { createSdcppProvider } from "./sdcpp.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { startSdcppServer } from "./server.ts";

const free = "the operator's own server, without keys and prices";

/** Contract of stable-diffusion.cpp's own job API. */
export const sdcppContract: ProviderContract = {
  name: "sdcpp",
  apiKey: null,
  start: startSdcppServer,
  create: ({ limits, url }) => createSdcppProvider({ ...limits, baseUrl: url, pollIntervalMs: 1 }),
  request: { model: "local" },
  supports: {
    edit: {},
    mask: { sent: "white" },
    combine: {},
    negativePrompt: {},
    seed: "returned",
  },
  refusals: {},
  retryAfter: null,
  notApplicable: {
    refusal: "has no policy of its own",
    "429 with Retry-After": "its 429 never says a time",
    "no credit": free,
    "wrong API key": free,
  },
};
