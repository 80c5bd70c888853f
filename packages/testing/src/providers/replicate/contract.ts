import { createReplicateProvider } from "@atelier/models";
import type { ProviderContract } from "../contract/provider-contract.ts";
import { fetchPlainly } from "../fetch-plainly.ts";
import { startReplicateServer } from "./server.ts";

const apiKey = "r8_0123456789abcdef0123456789abcdef01234";

/** Replicate. */
export const replicateContract: ProviderContract = {
  name: "replicate",
  apiKey,
  start: () => startReplicateServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createReplicateProvider({
      ...limits,
      apiKey: options.apiKey,
      baseUrl: url,
      fetchResult: fetchPlainly,
      pollIntervalMs: 1,
    }),
  request: { model: "black-forest-labs/flux-2-pro" },
  refusals: {
    e005: { stage: null, categories: [] },
    nsfw: { stage: "image", categories: [] },
  },
  // In the text of the answer, not in a header.
  retryAfter: { sent: "30", ms: 30_000 },
  notApplicable: {},
};
