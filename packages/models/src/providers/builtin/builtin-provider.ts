import type { Provider, ProviderCall, ProviderOutcome, ProviderRequest } from "../../provider.ts";
import { illustrate } from "./illustrate.ts";
import { ornament } from "./pattern/ornament.ts";
import { pixelSize } from "./pixel-size.ts";
import { rasterise } from "./rasterise.ts";

/**
 * The built-in illustrator: draws the prompt itself, without network, key or fonts.
 *
 * Models: `illustrator` (scenes, portraits, places) and `pattern` (ornaments; ignores references).
 * The same request gives the same bytes. Drawing again costs nothing, so a lost call is repeated.
 */
export function createBuiltinProvider(): Provider {
  return {
    name: "builtin",
    lostCall: "repeat-with-same-key",
    generate: draw,
  };
}

async function draw(request: ProviderRequest, { signal }: ProviderCall): Promise<ProviderOutcome> {
  const view = pixelSize(request.aspectRatio, "1K");
  const size = pixelSize(request.aspectRatio, request.imageSize);
  if (view === null || size === null) {
    return {
      kind: "invalid-request",
      message: `no size for ${request.imageSize} at ${request.aspectRatio}`,
    };
  }
  const { model, prompt, references, seed } = request;
  if (model !== "illustrator" && model !== "pattern") {
    return { kind: "invalid-request", message: `no model ${model}` };
  }
  if (signal.aborted) return aborted;
  const svg =
    model === "illustrator"
      ? illustrate(prompt, references, seed, view, size)
      : ornament(prompt, seed, view, size);
  const bytes = await rasterise(svg, size);
  if (signal.aborted) return aborted;
  return { kind: "image", image: { bytes, mediaType: "image/png" }, turn: null };
}

const aborted: ProviderOutcome = {
  kind: "unavailable",
  message: "the call was aborted",
  retryAfterMs: null,
};
