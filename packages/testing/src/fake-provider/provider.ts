import {
  toVendorAmount,
  type CallProgress,
  type Provider,
  type ProviderCall,
  type ProviderOutcome,
} from "@atelier/models";

/** The adapter of the fake provider. The test chooses how lost calls can be recovered. */
export function createFakeProvider(options: {
  readonly name: string;
  readonly url: string;
  readonly lostCall: Provider["lostCall"];
}): Provider {
  const { name, url, lostCall } = options;
  return {
    name,
    lostCall,
    async generate(request, call) {
      try {
        const response =
          call.resumeRequestId === null
            ? await fetch(`${url}/images`, {
                method: "POST",
                headers: { "Content-Type": "application/json" },
                body: JSON.stringify({
                  key: call.key,
                  model: request.model,
                  prompt: request.prompt,
                  references: request.references.length,
                  seed: request.seed,
                  negativePrompt: request.negativePrompt ?? null,
                  background: request.background ?? "opaque",
                  parameters: request.parameters ?? {},
                }),
                signal: call.signal,
              })
            : await fetch(`${url}/images/${call.resumeRequestId}`, { signal: call.signal });
        return await outcomeOf(response, call);
      } catch (error) {
        return { kind: "unknown", message: String(error) };
      }
    },
  };
}

async function outcomeOf(response: Response, call: ProviderCall): Promise<ProviderOutcome> {
  const requestId = response.headers.get("X-Request-Id");
  const cost = toVendorAmount(response.headers.get("X-Cost"));
  if (cost !== null) call.onUsage?.({ cost });
  const units = response.headers.get("X-Units");
  if (units !== null) call.onUsage?.({ units: JSON.parse(units) as Record<string, number> });
  const progress = response.headers.get("X-Progress");
  if (progress !== null) call.onProgress?.(JSON.parse(progress) as CallProgress);
  if (response.ok && requestId !== null) await call.onRequestId(requestId);
  const retryAfter = response.headers.get("Retry-After");
  const retryAfterMs = retryAfter === null ? null : Number(retryAfter) * 1_000;
  switch (response.status) {
    case 200: {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { kind: "image", image: { bytes, mediaType: "image/png" }, turn: { seen: call.key } };
    }
    case 400: {
      const { categories } = (await response.json()) as { categories: string[] };
      return { kind: "refused", stage: null, categories };
    }
    case 402:
      return { kind: "out-of-quota", message: "no credit" };
    case 422:
      return { kind: "invalid-request", message: "not taken" };
    case 429:
      return { kind: "rate-limited", retryAfterMs };
    default:
      return { kind: "unavailable", message: `status ${response.status}`, retryAfterMs };
  }
}
