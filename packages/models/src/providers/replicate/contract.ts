import { createSvgDrawer } from "@atelier/svg";
import { createDescribedProvider } from "../described/described.ts";
import { readShipped } from "../described/shipped.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { fetchPlainly } from "../testing/fetch-plainly.ts";
import { startReplicateServer } from "./server.ts";

const apiKey = "r8_0123456789abcdef0123456789abcdef01234";

const replicate = await readShipped("replicate");

/** Contract of Replicate. */
export const replicateContract: ProviderContract = {
  name: "replicate",
  apiKey,
  start: () => startReplicateServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createDescribedProvider({
      ...limits,
      name: "replicate",
      description: replicate,
      apiKey: options.apiKey,
      baseUrl: url,
      fetchResult: fetchPlainly,
      svgDrawer: createSvgDrawer(),
      pollIntervalMs: 1,
    }),
  request: { model: "black-forest-labs/flux-2-pro" },
  supports: {
    edit: {},
    mask: { model: "black-forest-labs/flux-fill-pro", sent: "white" },
    combine: {},
    graphic: { model: "recraft-ai/recraft-v4-svg" },
    seed: "none",
  },
  refusals: {
    e005: { stage: null, categories: [] },
    nsfw: { stage: "image", categories: [] },
  },
  // Sent in the response's text, not in a header.
  retryAfter: { sent: "30", ms: 30_000 },
  notApplicable: {},
};
