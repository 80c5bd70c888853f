export {
  createCatalogue,
  loadCatalogue,
  presentModel,
  priceOf,
  type Catalogue,
  type CatalogueEntry,
} from "./catalogue.ts";
export type * from "./provider.ts";
export type { CallLimits } from "./providers/http/send.ts";
export { resolveModel, type ModelRequest, type ResolvedModel } from "./resolve.ts";
export { createBuiltinProvider } from "./providers/builtin/index.ts";
