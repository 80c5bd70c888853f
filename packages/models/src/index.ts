export { assertStepSizes, planSteps, priceOfAfter } from "./after-steps.ts";
export {
  entriesNamed,
  isRetired,
  loadCatalogue,
  presentModel,
  readCatalogue,
  type Catalogue,
} from "./catalogue.ts";
export { supportsCapability } from "./capabilities.ts";
export type { CatalogueEntry } from "./catalogue-entry.ts";
export { comparePrices, readPriceList } from "./compare-prices.ts";
export { explainDiagram } from "./diagram-problem.ts";
export { discoverModels } from "./discovery/discover.ts";
export { chooseEditSize, editPixels } from "./edit-size.ts";
export { makesExactly, nearestExactSize, resolveExactSize } from "./exact-size.ts";
export { findFallback, operationOf, type Fallback } from "./fallback.ts";
export {
  knownProviders,
  loadProviders,
  type Providers,
  type ProviderSources,
  type UnusableProvider,
} from "./provider-settings.ts";
export { allowsParameters, mergeParameters, type EngineDefaults } from "./engine-settings.ts";
export { nearestAspectRatio } from "./nearest-aspect-ratio.ts";
export { explainSteps, presentPrices, priceInBatch, priceOf } from "./prices.ts";
export { assertEditable, prepareEdit, prepareTool } from "./prepare-edit.ts";
export { priceCall, type PricedCall } from "./price-call.ts";
export type * from "./provider.ts";
export { mergeUsage, toVendorAmount, type Currency, type VendorUsage } from "./vendor-usage.ts";
export type { CallLimits } from "./providers/http/send.ts";
export { sizeOfResult } from "./tool-size.ts";
export { assertCapable, resolveModel, type ModelRequest, type ResolvedModel } from "./resolve.ts";
export { readPrompt } from "./providers/builtin/read-prompt.ts";
export { takeStep } from "./providers/builtin/take-step.ts";
export { testLane } from "./providers/builtin/kind.ts";
export type { ProviderTools } from "./providers/kind.ts";
export type { ProviderKind, ProviderSettings } from "./providers/kinds.ts";
export { createProvider, describeNeeds, type EngineNeeds } from "./registry.ts";
export { hasTags, type ServerSettings } from "./server-settings.ts";
