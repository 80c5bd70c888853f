export {
  createCatalogue,
  loadCatalogue,
  presentModel,
  priceOf,
  readCatalogue,
  type Catalogue,
} from "./catalogue.ts";
export type { CatalogueEntry } from "./catalogue-entry.ts";
export { findFallback, type Fallback, type ImageDemands } from "./fallback.ts";
export {
  loadProviders,
  vendorKeys,
  type ProviderKind,
  type Providers,
  type ProviderSettings,
  type ProviderSources,
  type UnusableProvider,
} from "./provider-settings.ts";
export type * from "./provider.ts";
export type { CallLimits } from "./providers/http/send.ts";
export { resolveModel, type ModelRequest, type ResolvedModel } from "./resolve.ts";
export { createProvider, type ProviderTools } from "./registry.ts";
export { createBuiltinProvider } from "./providers/builtin/index.ts";
export { createGeminiProvider, type GeminiOptions } from "./providers/gemini.ts";
export { createOpenAiProvider, type OpenAiOptions } from "./providers/openai.ts";
