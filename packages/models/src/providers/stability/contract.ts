import { createStabilityProvider } from "./stability.ts";
import { synchronousProvider } from "../testing/contract/synchronous-provider.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { startStabilityServer } from "./server.ts";

const apiKey = "sk-atelier-test-0123456789abcdefghijklmnop";

/** Contract of Stability's Stable Image. */
export const stabilityContract: ProviderContract = {
  name: "stability",
  apiKey,
  start: () => startStabilityServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createStabilityProvider({ ...limits, apiKey: options.apiKey, baseUrl: url }),
  request: { model: "sd3/sd3.5-large", aspectRatio: "3:2" },
  supports: {
    mask: { model: "edit/inpaint", sent: "white" },
    negativePrompt: {},
    seed: "returned",
  },
  refusals: {
    prompt: { stage: "request", categories: ["content_moderation"] },
    filtered: { stage: "image", categories: ["CONTENT_FILTERED"] },
  },
  retryAfter: { sent: "60", ms: 60_000 },
  notApplicable: synchronousProvider,
};
