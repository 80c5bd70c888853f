import { createSvgDrawer } from "@atelier/svg";
import type { ProviderContract } from "../../testing/contract/provider-contract.ts";
import { synchronousProvider } from "../../testing/contract/synchronous-provider.ts";
import { fetchPlainly } from "../../testing/fetch-plainly.ts";
import { createDescribedProvider } from "../described.ts";
import { readShipped } from "../shipped.ts";
import { startDescribedServer, type VendorRules } from "./described-server.ts";
import * as vendors from "./vendor-rules.ts";

interface Vendor extends Pick<ProviderContract, "request" | "supports" | "refusals"> {
  readonly name: Parameters<typeof readShipped>[0];
  readonly rules: VendorRules;
  readonly notApplicable?: ProviderContract["notApplicable"];
}

const apiKey = "sk-0123456789abcdef0123456789abcdef";
const edits = { edit: {}, mask: { sent: "none" as const }, combine: {} };
const ownServer = {
  refusal: "has no policy of its own",
  "no credit": "the operator's own server, without prices",
};

const described: readonly Vendor[] = [
  {
    name: "openrouter",
    rules: vendors.openRouter,
    request: { model: "bytedance-seed/seedream-4.5" },
    supports: { ...edits, seed: "none" },
    refusals: { flagged: { stage: "request", categories: ["violence/graphic"] } },
  },
  {
    name: "seedream",
    rules: vendors.seedream,
    request: { model: "seedream-5-0-260128" },
    supports: { ...edits, seed: "none" },
    refusals: {
      prompt: { stage: "request", categories: [] },
      violence: { stage: "request", categories: [] },
      reference: { stage: "request", categories: [] },
      image: { stage: "image", categories: [] },
      "image alone": { stage: "image", categories: [] },
    },
  },
  {
    name: "ideogram",
    rules: vendors.ideogram,
    request: { model: "ideogram-v4", imageSize: "2K" },
    supports: { seed: "returned" },
    refusals: {
      prompt: { stage: "request", categories: [] },
      image: { stage: "image", categories: [] },
    },
  },
  {
    name: "qwen",
    rules: vendors.qwen,
    request: { model: "qwen-image-3.0" },
    supports: { ...edits, negativePrompt: {}, seed: "returned" },
    refusals: { inspection: { stage: null, categories: [] } },
  },
  {
    name: "xai",
    rules: vendors.xai,
    request: { model: "grok-imagine-image" },
    supports: { ...edits, seed: "none" },
    refusals: {
      moderation: { stage: null, categories: [] },
      image: { stage: "image", categories: [] },
    },
  },
  {
    name: "azure-openai",
    rules: vendors.azureOpenAi,
    request: { model: "our-deployment" },
    supports: { ...edits, mask: { sent: "transparent" }, transparency: {}, seed: "none" },
    refusals: { filter: { stage: "request", categories: [] } },
  },
  {
    name: "nvidia-nim",
    rules: vendors.nvidiaNim,
    request: { model: "black-forest-labs/flux.2-klein-4b" },
    supports: { ...edits, seed: "returned" },
    refusals: {},
    notApplicable: ownServer,
  },
  {
    name: "bentoml",
    rules: vendors.bentoMl,
    request: { model: "txt2img" },
    supports: { seed: "none" },
    refusals: {},
    notApplicable: ownServer,
  },
];

/** Contracts of the descriptions of this repository whose vendors answer at once. */
export const describedContracts: readonly ProviderContract[] = await Promise.all(
  described.map(async ({ name, notApplicable = {}, refusals, request, rules, supports }) => {
    const description = await readShipped(name);
    return {
      name,
      apiKey,
      start: () => startDescribedServer(rules, apiKey),
      create: ({ limits, url, ...options }: Parameters<ProviderContract["create"]>[0]) =>
        createDescribedProvider({
          ...limits,
          name,
          description,
          apiKey: options.apiKey,
          baseUrl: url,
          fetchResult: fetchPlainly,
          svgDrawer: createSvgDrawer(),
        }),
      request,
      supports,
      refusals,
      retryAfter: { sent: "7", ms: 7_000 },
      notApplicable: { ...synchronousProvider, ...notApplicable },
    };
  }),
);
