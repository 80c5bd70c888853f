import { createGeminiProvider } from "./gemini.ts";
import { synchronousProvider } from "../testing/contract/synchronous-provider.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { startGeminiServer } from "./server.ts";

const apiKey = "AIzaSyAtelierTest0123456789abcdefghijkl";
const explicit = "HARM_CATEGORY_SEXUALLY_EXPLICIT";

/** Contract of Google Gemini. */
export const geminiContract: ProviderContract = {
  name: "gemini",
  apiKey,
  start: () => startGeminiServer({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createGeminiProvider({ ...limits, apiKey: options.apiKey, baseUrl: `${url}/v1beta` }),
  request: { model: "gemini-3-pro-image", aspectRatio: "16:9" },
  supports: { edit: {}, mask: { sent: "none" }, combine: {}, seed: "none" },
  refusals: {
    "prompt:SAFETY": { stage: "request", categories: ["SAFETY", explicit] },
    "prompt:OTHER": { stage: "request", categories: ["OTHER"] },
    "prompt:BLOCKLIST": { stage: "request", categories: ["BLOCKLIST"] },
    "prompt:PROHIBITED_CONTENT": { stage: "request", categories: ["PROHIBITED_CONTENT"] },
    "prompt:IMAGE_SAFETY": { stage: "request", categories: ["IMAGE_SAFETY", explicit] },
    "finish:SAFETY": { stage: "image", categories: ["SAFETY", explicit] },
    "finish:PROHIBITED_CONTENT": { stage: "image", categories: ["PROHIBITED_CONTENT"] },
    "finish:BLOCKLIST": { stage: "image", categories: ["BLOCKLIST"] },
    "finish:SPII": { stage: "image", categories: ["SPII"] },
    "finish:RECITATION": { stage: "image", categories: ["RECITATION"] },
    "finish:IMAGE_SAFETY": { stage: "image", categories: ["IMAGE_SAFETY", explicit] },
    "finish:IMAGE_PROHIBITED_CONTENT": {
      stage: "image",
      categories: ["IMAGE_PROHIBITED_CONTENT"],
    },
    "finish:IMAGE_RECITATION": { stage: "image", categories: ["IMAGE_RECITATION"] },
    "finish:IMAGE_OTHER": { stage: "image", categories: ["IMAGE_OTHER"] },
    "finish:NO_IMAGE": { stage: "image", categories: ["NO_IMAGE"] },
  },
  retryAfter: { sent: "38.5s", ms: 38_500 },
  notApplicable: synchronousProvider,
};
