import { createComfyUiProvider } from "./comfyui.ts";
import { readComfyUiWorkflow } from "./comfyui-workflow.ts";
import type { ProviderContract } from "../testing/contract/provider-contract.ts";
import { startComfyUiServer } from "./server.ts";
import { editWorkflowText, workflowText } from "../testing/comfyui-workflows.ts";

const free = "the operator's own server, without keys and prices";
const noLimit = "takes every order into its queue";

/** Contract of ComfyUI with a workflow of the operator. */
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
  supports: {
    mask: { sent: "white" },
    combine: {},
    seed: "returned",
  },
  createForEdits: ({ limits, url }) =>
    createComfyUiProvider({
      ...limits,
      baseUrl: url,
      workflow: readComfyUiWorkflow(editWorkflowText, "edit.json"),
      pollIntervalMs: 1,
    }),
  refusals: {},
  retryAfter: null,
  notApplicable: {
    refusal: "has no policy of its own",
    "429 with Retry-After": noLimit,
    "429 without Retry-After": noLimit,
    "no credit": free,
    "wrong API key": free,
  },
};
