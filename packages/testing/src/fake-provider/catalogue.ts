/**
 * Catalogue entries for models of fake providers; the id of a model is the name of its provider. In batches, those
 * of `fake-resumable` cost half.
 */
export function fakeModels(...providers: readonly string[]): object {
  return {
    models: providers.map((provider) => ({
      id: provider,
      name: `Fake model of ${provider}`,
      description: "Answers as a test tells it to.",
      provider,
      provider_model: "fake-1",
      supports_multiturn: true,
      supports_seed: true,
      supports_negative_prompt: true,
      supports_transparency: true,
      defaults: { steps: 20, loras: [{ name: "house-style", weight: 1 }] },
      client_may_set: {
        steps: { min: 4, max: 30 },
        sampler: ["Euler", "DPM++ 2M"],
        loras: { names: ["detail"], weight: { min: 0, max: 1 } },
      },
      max_reference_images: 5,
      aspect_ratios: ["1:1", "16:9"],
      default_aspect_ratio: "1:1",
      default_image_size: "1K",
      prices_eur: { "1K": "0.05" },
      price_per_step: { "1K": "0.001" },
      batch_price_factor: provider === "fake-resumable" ? 0.5 : 1,
      retires_at: null,
      successor: null,
    })),
  };
}

/**
 * The PROVIDERS_FILE for them. Their circuit breakers never open, so that tests can make them fail freely.
 */
export function fakeProviders(...providers: readonly string[]): object {
  const settings = { kind: "custom", circuit_breaker: false };
  return { providers: Object.fromEntries(providers.map((name) => [name, settings])) };
}
