import { createSvgDrawer } from "@atelier/svg";
import { synchronousProvider } from "../testing/contract/synchronous-provider.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { createRecraftProvider } from "./recraft.ts";
import { startRecraftServer } from "./server.ts";

const apiKey = "recraft-atelier-test-0123456789abcdef";

/** Contract of Recraft. */
export const recraftContract: ProviderContract = {
  name: "recraft",
  apiKey,
  start: () => startRecraftServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createRecraftProvider({
      ...limits,
      apiKey: options.apiKey,
      baseUrl: `${url}/v1`,
      svgDrawer: createSvgDrawer(),
    }),
  request: { model: "recraftv4_1", aspectRatio: "3:2" },
  supports: {
    edit: {},
    mask: { model: "recraftv3", sent: "white" },
    negativePrompt: { model: "recraftv3" },
    graphic: { model: "recraftv4_1_vector" },
    seed: "none",
  },
  refusals: { moderation: { stage: null, categories: [] } },
  retryAfter: { sent: "7", ms: 7_000 },
  notApplicable: synchronousProvider,
};
