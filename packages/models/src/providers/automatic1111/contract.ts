import { createAutomatic1111Provider } from "./automatic1111.ts";
import { synchronousProvider } from "../testing/contract/synchronous-provider.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { startAutomatic1111Server } from "./server.ts";

const apiKey = "atelier:correct-horse-battery";
const noLimit = "makes orders wait, and refuses none";

/** Contract of AUTOMATIC1111's web UI and Forge. */
export const automatic1111Contract: ProviderContract = {
  name: "automatic1111",
  apiKey,
  start: () => startAutomatic1111Server({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createAutomatic1111Provider({ ...limits, apiKey: options.apiKey, baseUrl: url }),
  request: { model: "sd_xl_base_1.0.safetensors" },
  supports: { edit: {}, mask: { sent: "white" }, negativePrompt: {}, seed: "returned" },
  refusals: {},
  retryAfter: null,
  notApplicable: {
    ...synchronousProvider,
    refusal: "has no policy of its own",
    "429 with Retry-After": noLimit,
    "429 without Retry-After": noLimit,
    "no credit": "the operator's own server, without prices",
  },
};
