import { createFalProvider } from "@atelier/models";
import type { ProviderContract } from "../contract/provider-contract.ts";
import { fetchPlainly } from "../fetch-plainly.ts";
import { startFalServer } from "./server.ts";

const apiKey = "0f8e6c1a-1111-2222-3333-444455556666:0123456789abcdef0123456789abcdef";

/** fal. */
export const falContract: ProviderContract = {
  name: "fal",
  apiKey,
  start: () => startFalServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createFalProvider({
      ...limits,
      apiKey: options.apiKey,
      baseUrl: url,
      fetchResult: fetchPlainly,
      pollIntervalMs: 1,
    }),
  request: { model: "fal-ai/flux-2-pro" },
  refusals: {
    prompt: { stage: "request", categories: [] },
    body: { stage: null, categories: [] },
    nsfw: { stage: "image", categories: ["nsfw"] },
  },
  retryAfter: { sent: "7", ms: 7_000 },
  notApplicable: {},
};
