/** A package on npm that names models of a vendor which the catalogue does not have. */
interface UnlistedModels {
  readonly provider: string;
  /** With its version. */
  readonly source: string;
  /** By the vendor's ids. */
  readonly models: readonly string[];
}

/** Read on 2026-11-30. The packages state neither prices nor sizes, so that there are no entries for them. */
export const unlistedModels: readonly UnlistedModels[] = [
  {
    provider: "openai",
    source: "openai 7.59.0",
    models: ["gpt-image-2.5-sunburst", "gpt-image-2.5-flare", "chatgpt-image-latest", "dall-e-2"],
  },
  {
    provider: "bfl",
    source: "@ai-sdk/black-forest-labs 2.0.41",
    models: ["flux-kontext-pro", "flux-kontext-max", "flux-pro-1.1-ultra", "flux-pro-1.1"],
  },
  {
    provider: "replicate",
    source: "@ai-sdk/replicate 3.0.46",
    models: [
      "black-forest-labs/flux-2-dev",
      "black-forest-labs/flux-1.1-pro",
      "stability-ai/stable-diffusion-3.5-large",
      "ideogram-ai/ideogram-v2",
      "luma/photon",
    ],
  },
  {
    provider: "fal",
    source: "@ai-sdk/fal 3.0.41",
    models: [
      "fal-ai/flux-pro/kontext",
      "fal-ai/qwen-image",
      "fal-ai/luma-photon",
      "fal-ai/sky-raccoon",
    ],
  },
  { provider: "xai", source: "@ai-sdk/xai 5.0.12", models: ["grok-imagine-image-pro"] },
];
