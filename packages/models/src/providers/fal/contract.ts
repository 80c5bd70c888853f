import { createSvgDrawer } from "@atelier/svg";
import { createDescribedProvider } from "../described/described.ts";
import { readShipped } from "../described/shipped.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { fetchPlainly } from "../testing/fetch-plainly.ts";
import { startFalServer } from "./server.ts";

const apiKey = "0f8e6c1a-1111-2222-3333-444455556666:0123456789abcdef0123456789abcdef";

const fal = await readShipped("fal");

/** Contract of fal. */
export const falContract: ProviderContract = {
  name: "fal",
  apiKey,
  start: () => startFalServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createDescribedProvider({
      ...limits,
      name: "fal",
      description: fal,
      apiKey: options.apiKey,
      baseUrl: url,
      fetchResult: fetchPlainly,
      svgDrawer: createSvgDrawer(),
      pollIntervalMs: 1,
    }),
  request: { model: "fal-ai/flux-2-pro" },
  supports: {
    edit: {},
    mask: { model: "fal-ai/flux-pro/v1/fill", sent: "white" },
    combine: {},
    graphic: { model: "fal-ai/recraft/v4/text-to-vector" },
    seed: "returned",
  },
  refusals: {
    prompt: { stage: "request", categories: [] },
    body: { stage: null, categories: [] },
    nsfw: { stage: "image", categories: ["nsfw"] },
  },
  retryAfter: { sent: "7", ms: 7_000 },
  notApplicable: {},
};
