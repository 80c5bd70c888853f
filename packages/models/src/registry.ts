import { readFile } from "node:fs/promises";
import type { Provider } from "./provider.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { createAutomatic1111Provider } from "./providers/automatic1111.ts";
import { createBlackForestLabsProvider } from "./providers/black-forest-labs.ts";
import { createBuiltinProvider } from "./providers/builtin/index.ts";
import { readComfyUiWorkflow } from "./providers/comfyui-workflow.ts";
import { createComfyUiProvider } from "./providers/comfyui.ts";
import { createFalProvider } from "./providers/fal.ts";
import { createGeminiProvider } from "./providers/gemini.ts";
import type { FetchResult } from "./providers/http/fetch-result.ts";
import { createOpenAiCompatibleProvider } from "./providers/openai-compatible.ts";
import { createOpenAiProvider } from "./providers/openai.ts";
import { createReplicateProvider } from "./providers/replicate.ts";
import { createSdcppProvider } from "./providers/sdcpp.ts";
import { createStabilityProvider } from "./providers/stability.ts";

/** What adapters are given beside their settings. */
export interface ProviderTools {
  /** Fetches an image from a URL that a provider gave, under the rules for URLs of strangers. */
  readonly fetchResult: FetchResult;
}

/**
 * The adapter of a provider, under the provider's own name; null for a custom one, whose adapter is
 * given to the worker in code.
 *
 * @throws Error when a file of its settings, such as a workflow, cannot be used.
 */
export async function createProvider(
  settings: ProviderSettings,
  tools: ProviderTools,
): Promise<Provider | null> {
  const adapter = await createAdapterOf(settings, tools);
  return adapter === null ? null : { ...adapter, name: settings.name };
}

async function createAdapterOf(
  settings: ProviderSettings,
  { fetchResult }: ProviderTools,
): Promise<Provider | null> {
  const options = {
    apiKey: settings.apiKey ?? "",
    baseUrl: settings.baseUrl ?? undefined,
    totalTimeoutMs: settings.timeoutMs ?? undefined,
  };
  // Servers of one's own: they have an address, and no key unless something before them wants one.
  const own = {
    ...options,
    apiKey: settings.apiKey ?? undefined,
    baseUrl: settings.baseUrl ?? "",
  };
  switch (settings.kind) {
    case "builtin":
      return createBuiltinProvider();
    case "openai":
      return createOpenAiProvider({ ...options, quality: settings.quality ?? undefined });
    case "gemini":
      return createGeminiProvider(options);
    case "bfl":
      return createBlackForestLabsProvider({ ...options, fetchResult });
    case "fal":
      return createFalProvider({ ...options, fetchResult });
    case "replicate":
      return createReplicateProvider({ ...options, fetchResult });
    case "stability":
      return createStabilityProvider(options);
    case "openai-compatible":
      return createOpenAiCompatibleProvider({
        ...own,
        references: settings.references ?? undefined,
      });
    case "sdcpp":
      return createSdcppProvider(own);
    case "comfyui": {
      const file = settings.workflowFile ?? "";
      const workflow = readComfyUiWorkflow(await readFile(file, "utf8"), file);
      return createComfyUiProvider({ ...own, workflow });
    }
    case "automatic1111":
      return createAutomatic1111Provider(own);
    case "custom":
      return null;
  }
}
