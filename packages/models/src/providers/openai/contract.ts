import { createSvgDrawer } from "@atelier/svg";
import { createOpenAiProvider } from "./openai.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { synchronousProvider } from "../testing/contract/synchronous-provider.ts";
import { startOpenAiServer } from "./server.ts";

const apiKey = "sk-proj-atelier-test-0123456789abcdef";

/** Contract of OpenAI Images. */
export const openAiContract: ProviderContract = {
  name: "openai",
  apiKey,
  start: () => startOpenAiServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createOpenAiProvider({
      ...limits,
      apiKey: options.apiKey,
      baseUrl: `${url}/v1`,
      svg: { author: { model: "gpt-5.6-terra", effort: "low" }, drawer: createSvgDrawer() },
    }),
  request: { model: "gpt-image-2.6-flare" },
  supports: {
    edit: {},
    mask: { sent: "transparent" },
    markup: {},
    combine: {},
    transparency: {},
    graphic: {},
    seed: "none",
  },
  refusals: {
    input: { stage: "request", categories: ["violence"] },
    output: { stage: "image", categories: ["violence"] },
    unknown: { stage: null, categories: ["violence"] },
    bare: { stage: null, categories: ["sexual", "violence"] },
    policy: { stage: null, categories: [] },
  },
  retryAfter: { sent: "7", ms: 7_000 },
  notApplicable: synchronousProvider,
};
