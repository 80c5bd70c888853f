import { createSvgDrawer } from "@atelier/svg";
import type { ProviderContract } from "../../testing/contract/provider-contract.ts";
import { fetchPlainly } from "../../testing/fetch-plainly.ts";
import { createDescribedProvider } from "../described.ts";
import { description } from "../description.ts";
import { inventedText, startInventedServer } from "./invented-server.ts";

const apiKey = "token-0123456789abcdef";

/** Contract of the invented protocol: everything that it needs is in its description. */
export const inventedContract: ProviderContract = {
  name: "invented",
  apiKey,
  start: () => startInventedServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createDescribedProvider({
      ...limits,
      name: "invented",
      description: description.parse(JSON.parse(inventedText)),
      apiKey: options.apiKey,
      baseUrl: url,
      fetchResult: fetchPlainly,
      svgDrawer: createSvgDrawer(),
      pollIntervalMs: 1,
    }),
  request: { model: "best-model" },
  supports: {
    edit: {},
    mask: { sent: "white" },
    combine: {},
    negativePrompt: {},
    seed: "returned",
  },
  refusals: {
    order: { stage: "request", categories: ["gore", "hate"] },
    picture: { stage: "image", categories: [] },
  },
  retryAfter: { sent: "7", ms: 7_000 },
  notApplicable: {},
};
