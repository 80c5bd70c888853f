import { createBlackForestLabsProvider } from "@atelier/models";
import type { ProviderContract } from "../contract/provider-contract.ts";
import { fetchPlainly } from "../fetch-plainly.ts";
import { startBlackForestLabsServer } from "./server.ts";

const apiKey = "bfl_0123456789abcdef0123456789abcdef";

/** Black Forest Labs. */
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
    }),
  request: { model: "flux-2-pro" },
  refusals: {
    request: { stage: "request", categories: [] },
    content: { stage: "image", categories: ["Derivative Works Filter"] },
    "content-503": { stage: "image", categories: ["Derivative Works Filter"] },
  },
  retryAfter: { sent: "7", ms: 7_000 },
  notApplicable: {},
};
