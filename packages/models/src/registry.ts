import { readFile } from "node:fs/promises";
import type { SvgDrawer } from "@atelier/svg";
import type { Provider } from "./provider.ts";
import { testLane, type ProviderSettings } from "./provider-settings.ts";
import { createAutomatic1111Provider } from "./providers/automatic1111/automatic1111.ts";
import { createBlackForestLabsProvider } from "./providers/black-forest-labs/black-forest-labs.ts";
import { createBuiltinProvider } from "./providers/builtin/builtin.ts";
import { createTestProvider } from "./providers/builtin/test-provider.ts";
import { assertSlots } from "./providers/comfyui/assert-slots.ts";
import { readComfyUiWorkflow } from "./providers/comfyui/comfyui-workflow.ts";
import { createComfyUiProvider } from "./providers/comfyui/comfyui.ts";
import { createDescribedProvider } from "./providers/described/described.ts";
import { createGeminiProvider } from "./providers/gemini/gemini.ts";
import type { FetchResult } from "./providers/http/fetch-result.ts";
import { createOpenAiCompatibleProvider } from "./providers/openai-compatible/openai-compatible.ts";
import { createOpenAiProvider } from "./providers/openai/openai.ts";
import { createRecraftProvider } from "./providers/recraft/recraft.ts";
import { createSdcppProvider } from "./providers/sdcpp/sdcpp.ts";
import { createStabilityProvider } from "./providers/stability/stability.ts";

/** Dependencies of the adapters besides their settings. */
export interface ProviderTools {
  /** Downloads an image from a URL that a provider returned, under the rules for untrusted URLs. */
  readonly fetchResult: FetchResult;
  /** Draws SVG of providers, which is not trusted. */
  readonly svgDrawer: SvgDrawer;
}

/**
 * Creates the adapter of a provider, named after the provider; null for a custom provider, whose
 * adapter is passed to the worker in code.
 *
 * @throws Error when a file of its settings, such as a workflow, is not usable.
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
  { fetchResult, svgDrawer }: ProviderTools,
): Promise<Provider | null> {
  const options = {
    apiKey: settings.apiKey ?? "",
    baseUrl: settings.baseUrl ?? undefined,
    totalTimeoutMs: settings.timeoutMs ?? undefined,
  };
  // Self-hosted servers have an address, and a key only if a proxy in front of them requires one.
  const own = {
    ...options,
    apiKey: settings.apiKey ?? undefined,
    baseUrl: settings.baseUrl ?? "",
  };
  switch (settings.kind) {
    case "builtin":
      return settings.name === testLane ? createTestProvider() : createBuiltinProvider();
    case "openai":
      return createOpenAiProvider({
        ...options,
        quality: settings.quality ?? undefined,
        complexity: settings.complexity ?? undefined,
        svg:
          settings.svgAuthor === null
            ? undefined
            : { author: settings.svgAuthor, drawer: svgDrawer },
      });
    case "gemini":
      return createGeminiProvider({ ...options, thinking: settings.thinking ?? undefined });
    case "bfl":
      return createBlackForestLabsProvider({ ...options, fetchResult });
    case "stability":
      return createStabilityProvider(options);
    case "recraft":
      return createRecraftProvider({ ...options, svgDrawer });
    case "openai-compatible":
      return createOpenAiCompatibleProvider({
        ...own,
        references: settings.references ?? undefined,
        maskField: settings.maskField ?? undefined,
        loraFolder: settings.loraFolder ?? undefined,
        hasNegativePrompt: settings.hasNegativePrompt,
      });
    case "sdcpp":
      return createSdcppProvider(own);
    case "comfyui": {
      const file = settings.workflowFile ?? "";
      const workflow = readComfyUiWorkflow(await readFile(file, "utf8"), file);
      assertSlots(workflow, settings.models, file);
      return createComfyUiProvider({ ...own, workflow });
    }
    case "automatic1111":
      return createAutomatic1111Provider(own);
    case "http":
      if (settings.description === null) throw new Error(`${settings.name} has no description`);
      return createDescribedProvider({
        ...options,
        name: settings.name,
        description: settings.description,
        fetchResult,
        svgDrawer,
      });
    case "custom":
      return null;
  }
}
