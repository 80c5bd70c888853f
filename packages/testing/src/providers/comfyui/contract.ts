import { createComfyUiProvider, readComfyUiWorkflow } from "@atelier/models";
import type { ProviderContract } from "../contract/provider-contract.ts";
import { startComfyUiServer } from "./server.ts";
import { workflowText } from "./workflow.ts";

const free = "the operator's own server, without keys and prices";
const noLimit = "takes every order into its queue";

/** ComfyUI with a workflow of the operator's. */
export const comfyUiContract: ProviderContract = {
  name: "comfyui",
  apiKey: null,
  start: startComfyUiServer,
  create: ({ limits, url }) =>
    createComfyUiProvider({
      ...limits,
      baseUrl: url,
      workflow: readComfyUiWorkflow(workflowText, "workflow.json"),
      pollIntervalMs: 1,
    }),
  request: { model: "workflow" },
  refusals: {},
  retryAfter: null,
  notApplicable: {
    refusal: "has no policy of its own",
    "429 with a time": noLimit,
    "429 without a time": noLimit,
    "no credit": free,
    "key not accepted": free,
  },
};
