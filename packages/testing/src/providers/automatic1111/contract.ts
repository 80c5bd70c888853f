import { createAutomatic1111Provider } from "@atelier/models";
import { answersAtOnce } from "../contract/answers-at-once.ts";
import type { ProviderContract } from "../contract/provider-contract.ts";
import { startAutomatic1111Server } from "./server.ts";

const apiKey = "atelier:correct-horse-battery";
const noLimit = "makes orders wait, and refuses none";

/** AUTOMATIC1111's web UI, and Forge. */
export const automatic1111Contract: ProviderContract = {
  name: "automatic1111",
  apiKey,
  start: () => startAutomatic1111Server({ apiKey }),
  create: ({ limits, url, ...options }) =>
    createAutomatic1111Provider({ ...limits, apiKey: options.apiKey, baseUrl: url }),
  request: { model: "sd_xl_base_1.0.safetensors" },
  refusals: {},
  retryAfter: null,
  notApplicable: {
    ...answersAtOnce,
    refusal: "has no policy of its own",
    "429 with a time": noLimit,
    "429 without a time": noLimit,
    "no credit": "the operator's own server, without prices",
  },
};
