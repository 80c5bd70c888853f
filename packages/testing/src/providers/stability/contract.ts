import { createStabilityProvider } from "@atelier/models";
import { answersAtOnce } from "../contract/answers-at-once.ts";
import type { ProviderContract } from "../contract/provider-contract.ts";
import { startStabilityServer } from "./server.ts";

const apiKey = "sk-atelier-test-0123456789abcdefghijklmnop";

/** Stability's Stable Image. */
export const stabilityContract: ProviderContract = {
  name: "stability",
  apiKey,
  start: () => startStabilityServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createStabilityProvider({ ...limits, apiKey: options.apiKey, baseUrl: url }),
  request: { model: "sd3/sd3.5-large", aspectRatio: "3:2" },
  refusals: {
    prompt: { stage: "request", categories: ["content_moderation"] },
    filtered: { stage: "image", categories: ["CONTENT_FILTERED"] },
  },
  retryAfter: { sent: "60", ms: 60_000 },
  notApplicable: answersAtOnce,
};
