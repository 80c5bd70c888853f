import type { Provider, ProviderCall, ProviderOutcome, ProviderRequest } from "../../provider.ts";
import { CallEnded } from "./call-ended.ts";
import { createRedaction } from "./redaction.ts";
import type { CallLimits } from "./send.ts";
import { startRealTimer } from "./timer.ts";

/** A call that gave its image. */
type ImageMade = Extract<ProviderOutcome, { kind: "image" }>;

export interface AdapterOptions {
  /** Name of the provider, and of its lane. */
  readonly name: string;
  readonly lostCall: Provider["lostCall"];
  /** The keys that no message may hold. */
  readonly secrets: readonly string[];
  readonly limits: CallLimits;
  /** Makes the image, or throws CallEnded. The call's signal ends at the total deadline too. */
  readonly makeImage: (request: ProviderRequest, call: ProviderCall) => Promise<ImageMade>;
}

/**
 * A provider that talks to a vendor: whatever ends its call early becomes the call's outcome, and no
 * message of an outcome holds a key, or the client's prompt or descriptions. Anything but CallEnded is a
 * defect, or an error of `onRequestId`, and is thrown on.
 */
export function createAdapter(options: AdapterOptions): Provider {
  const { name, limits, lostCall, secrets, makeImage } = options;
  const { startTimer = startRealTimer, totalTimeoutMs = 300_000 } = limits;
  return {
    name,
    lostCall,
    async generate(request, call) {
      const deadline = new AbortController();
      const cancelTimer = startTimer(totalTimeoutMs, () => deadline.abort());
      const signal = AbortSignal.any([call.signal, deadline.signal]);
      try {
        return await makeImage(request, {
          signal,
          key: call.key,
          resumeRequestId: call.resumeRequestId,
          onRequestId: (requestId) => call.onRequestId(requestId),
        });
      } catch (error) {
        if (!(error instanceof CallEnded)) throw error;
        const { outcome } = error;
        if (!("message" in outcome)) return outcome;
        const described = request.references.map(({ description }) => description);
        const redact = createRedaction(secrets, [request.prompt, ...described]);
        return { ...outcome, message: redact(outcome.message) };
      } finally {
        cancelTimer();
      }
    },
  };
}
