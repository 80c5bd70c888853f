import { isToolTask, type Capability, type PixelSize } from "@atelier/schemas";
import type {
  Provider,
  ProviderCall,
  ProviderEdit,
  ProviderOutcome,
  ProviderRequest,
} from "../../provider.ts";
import type { VendorUsage } from "../../vendor-usage.ts";
import { neededCapabilities } from "../needed-capabilities.ts";
import { fitCanvas } from "../edit/canvas.ts";
import { fitResult } from "../edit/fit-result.ts";
import { toolAsEdit } from "../edit/tool-as-edit.ts";
import { CallEnded, invalidRequest } from "./call-ended.ts";
import { assertSize } from "./read-image.ts";
import { createRedaction } from "./redaction.ts";
import type { CallLimits } from "./send.ts";
import { startRealTimer } from "./timer.ts";

/** The context of a call; usage can always be reported. */
export type AdapterCall = ProviderCall & Required<Pick<ProviderCall, "onUsage">>;

/** A successful call. */
type ImageOutcome = Extract<ProviderOutcome, { kind: "image" }>;

interface AdapterOptions {
  /** Name of the provider and of its lane. */
  readonly name: string;
  readonly lostCall: Provider["lostCall"];
  /** Keys to remove from every message. */
  readonly secrets: readonly string[];
  readonly limits: CallLimits;
  /** Supported capabilities besides images of a prompt with references. Default: none. */
  readonly capabilities?: readonly Capability[];
  /** Whether a model makes exactly the `pixels` of a request. Default: none does. */
  readonly canSize?: (model: string) => boolean;
  /** Whether a model makes a tool itself that would otherwise become an edit (`toolAsEdit`). Default: none does. */
  readonly makesTool?: (request: ProviderRequest) => boolean;
  /** The pixels that an edit makes; required with the capability `edit`. */
  readonly editSize?: (request: ProviderRequest) => PixelSize;
  /** For servers of operators: asks whether the server works (`createCheck`). */
  readonly check?: Provider["check"];
  /**
   * Generates the image or throws CallEnded. An edit's image and mask have the pixels of `editSize`; the result of a tool is scaled to its size. The call's signal also aborts at the total timeout.
   */
  readonly makeImage: (request: ProviderRequest, call: AdapterCall) => Promise<ImageOutcome>;
}

/**
 * Creates a provider that calls a vendor's API. CallEnded becomes the call's outcome, and outcome
 * messages contain no keys, prompts or descriptions. Any other error is a bug or comes from
 * `onRequestId` and is rethrown.
 */
export function createAdapter(options: AdapterOptions): Provider {
  const { name, limits, lostCall, secrets, capabilities = [], makeImage } = options;
  const { canSize = () => false, makesTool = () => false } = options;
  const { startTimer = startRealTimer, totalTimeoutMs = 300_000 } = limits;

  async function makeEdit(request: ProviderRequest, edit: ProviderEdit, call: AdapterCall) {
    if (options.editSize === undefined) throw invalidRequest(`${name} does not support edits`);
    const canvas = await fitCanvas(edit, options.editSize(request));
    const outcome = await makeImage({ ...request, task: canvas.edit }, call);
    return { ...outcome, image: await canvas.restore(outcome.image) };
  }

  return {
    name,
    lostCall,
    ...(options.check === undefined ? {} : { check: options.check }),
    async generate(original, call) {
      const tool = makesTool(original) ? null : await toolAsEdit(original);
      const request = tool?.request ?? original;
      const missing = neededCapabilities(request).find((need) => !capabilities.includes(need));
      if (missing !== undefined) {
        return { kind: "invalid-request", message: `${name} does not support ${missing}` };
      }
      const isTool = isToolTask(request.task);
      if (request.pixels !== undefined && !isTool && !canSize(request.model)) {
        return { kind: "invalid-request", message: `${request.model} takes no exact size` };
      }
      const deadline = new AbortController();
      const cancelTimer = startTimer(totalTimeoutMs, () => deadline.abort());
      const signal = AbortSignal.any([call.signal, deadline.signal]);
      try {
        const ownCall = {
          signal,
          key: call.key,
          resumeRequestId: call.resumeRequestId,
          onRequestId: (requestId: string) => call.onRequestId(requestId),
          onUsage: (usage: VendorUsage) => call.onUsage?.(usage),
          ...(call.onProgress !== undefined && { onProgress: call.onProgress }),
        };
        const { task, pixels } = request;
        const outcome =
          task?.kind === "edit"
            ? await makeEdit(request, task, ownCall)
            : await makeImage(request, ownCall);
        if (tool !== null) return { ...outcome, image: await tool.finish(outcome.image) };
        if (pixels !== undefined && isTool) {
          return { ...outcome, image: await fitResult(outcome.image, pixels) };
        }
        if (pixels !== undefined) await assertSize(outcome.image.bytes, pixels);
        return outcome;
      } catch (error) {
        if (!(error instanceof CallEnded)) throw error;
        const { outcome } = error;
        if (!("message" in outcome)) return outcome;
        const described = request.references.map(({ description }) => description);
        const texts = [request.prompt, request.negativePrompt ?? "", ...described];
        const redact = createRedaction(secrets, texts);
        return { ...outcome, message: redact(outcome.message) };
      } finally {
        cancelTimer();
      }
    },
  };
}
