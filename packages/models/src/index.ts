export {
  isRetired,
  loadCatalogue,
  presentModel,
  priceOf,
  readCatalogue,
  type Catalogue,
} from "./catalogue.ts";
export type { CatalogueEntry } from "./catalogue-entry.ts";
export { findFallback, type Fallback } from "./fallback.ts";
export {
  loadProviders,
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
export { createGeminiProvider } from "./providers/gemini.ts";
export { createOpenAiProvider } from "./providers/openai.ts";
export { createAutomatic1111Provider } from "./providers/automatic1111.ts";
export { createBlackForestLabsProvider } from "./providers/black-forest-labs.ts";
export { createComfyUiProvider } from "./providers/comfyui.ts";
export { readComfyUiWorkflow } from "./providers/comfyui-workflow.ts";
export { createFalProvider } from "./providers/fal.ts";
export { createReplicateProvider } from "./providers/replicate.ts";
export { createSdcppProvider } from "./providers/sdcpp.ts";
export { createOpenAiCompatibleProvider } from "./providers/openai-compatible.ts";
export { createStabilityProvider } from "./providers/stability.ts";
