import { createBlackForestLabsProvider } from "./black-forest-labs.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { fetchPlainly } from "../testing/fetch-plainly.ts";
import { startBlackForestLabsServer } from "./server.ts";

const apiKey = "bfl_0123456789abcdef0123456789abcdef";

/** Contract of Black Forest Labs. */
export const blackForestLabsContract: ProviderContract = {
  name: "bfl",
  apiKey,
  start: () => startBlackForestLabsServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createBlackForestLabsProvider({
      ...limits,
      apiKey: options.apiKey,
      baseUrl: url,
      fetchResult: fetchPlainly,
      pollIntervalMs: 1,
      notFoundGraceMs: 0,
    }),
  request: { model: "flux-2-pro" },
  supports: {
    edit: { model: "flux-3-image" },
    mask: { model: "flux-pro-1.0-fill", sent: "white" },
    combine: {},
    seed: "returned",
  },
  refusals: {
    request: { stage: "request", categories: [] },
    content: { stage: "image", categories: ["Derivative Works Filter"] },
    "content-503": { stage: "image", categories: ["Derivative Works Filter"] },
  },
  retryAfter: { sent: "7", ms: 7_000 },
  notApplicable: {},
};
