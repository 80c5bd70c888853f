import type { Provider } from "./provider.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { createBuiltinProvider } from "./providers/builtin/index.ts";
import type { FetchResult } from "./providers/http/fetch-result.ts";

/** What adapters are given beside their settings. */
export interface ProviderTools {
  /** Fetches an image from a URL that a provider gave, under the rules for URLs of strangers. */
  readonly fetchResult: FetchResult;
}

/**
 * The adapter of a provider; null for one whose adapter is given to the worker in code.
 *
 * @throws Error when a file of its settings, such as a workflow, cannot be used.
 */
export async function createProvider(
  settings: ProviderSettings,
  _tools: ProviderTools,
): Promise<Provider | null> {
  switch (settings.kind) {
    case "builtin":
      return createBuiltinProvider();
    default:
      return null;
  }
}
