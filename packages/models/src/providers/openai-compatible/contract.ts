import { createOpenAiCompatibleProvider } from "./openai-compatible.ts";
import { synchronousProvider } from "../testing/contract/synchronous-provider.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { startOpenAiCompatibleServer, type Flavour } from "./server.ts";

const ownServer = {
  refusal: "has no policy of its own",
  "429 with Retry-After": "has no limits of its own",
  "429 without Retry-After": "has no limits of its own",
  "no credit": "the operator's own server, without prices",
} as const;

const maskFields: Readonly<Record<Flavour, "mask" | "mask_image" | undefined>> = {
  "stable-diffusion.cpp": "mask",
  "vllm-omni": "mask_image",
  sglang: undefined,
  localai: undefined,
};

const hasNegativePrompt = (flavour: Flavour) => flavour === "vllm-omni" || flavour === "sglang";

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
        maskField: maskFields[flavour],
        loraFolder: flavour === "vllm-omni" ? "/models/loras" : undefined,
        hasNegativePrompt: hasNegativePrompt(flavour),
        references: flavour === "localai" ? "ref_images" : "edits",
      }),
    request: { model: "Qwen/Qwen-Image", aspectRatio: "16:9" },
    supports: {
      edit: {},
      ...(maskFields[flavour] === undefined ? {} : { mask: { sent: "white" } }),
      combine: {},
      ...(hasNegativePrompt(flavour) ? { negativePrompt: {} } : {}),
      seed: "returned",
    },
    refusals: {},
    retryAfter: null,
    notApplicable: {
      ...synchronousProvider,
      ...ownServer,
      ...(apiKey === null ? { "wrong API key": "has no keys" } : {}),
    },
  };
}

/** Contracts of the servers with OpenAI's API. */
export const openAiCompatibleContracts: readonly ProviderContract[] = [
  contractOf("stable-diffusion.cpp", null),
  contractOf("vllm-omni", "token-of-atelier-test-0123456789"),
  contractOf("sglang", "token-of-atelier-test-0123456789"),
  contractOf("localai", "token-of-atelier-test-0123456789"),
];
