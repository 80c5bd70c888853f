import { createOpenAiCompatibleProvider } from "@atelier/models";
import { answersAtOnce } from "../contract/answers-at-once.ts";
import type { ProviderContract } from "../contract/provider-contract.ts";
import { startOpenAiCompatibleServer, type Flavour } from "./server.ts";

const ownServer = {
  refusal: "has no policy of its own",
  "429 with a time": "has no limits of its own",
  "429 without a time": "has no limits of its own",
  "no credit": "the operator's own server, without prices",
} as const;

function contractOf(flavour: Flavour, apiKey: string | null): ProviderContract {
  return {
    name: `/v1 of ${flavour}`,
    apiKey,
    start: () => startOpenAiCompatibleServer({ flavour, apiKey }),
    create: ({ limits, url, ...options }) =>
      createOpenAiCompatibleProvider({
        ...limits,
        baseUrl: `${url}/v1`,
        apiKey: apiKey === null ? undefined : options.apiKey,
        references: flavour === "localai" ? "ref_images" : "edits",
      }),
    request: { model: "Qwen/Qwen-Image", aspectRatio: "16:9" },
    refusals: {},
    retryAfter: null,
    notApplicable: {
      ...answersAtOnce,
      ...ownServer,
      ...(apiKey === null ? { "key not accepted": "has no keys" } : {}),
    },
  };
}

/** The servers that speak OpenAI's API. */
export const openAiCompatibleContracts: readonly ProviderContract[] = [
  contractOf("stable-diffusion.cpp", null),
  contractOf("vllm-omni", "token-of-atelier-test-0123456789"),
  contractOf("sglang", "token-of-atelier-test-0123456789"),
  contractOf("localai", "token-of-atelier-test-0123456789"),
];
