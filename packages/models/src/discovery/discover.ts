import { readFile } from "node:fs/promises";
import { parse } from "node:path";
import type { ProviderSettings } from "../provider-settings.ts";
import { readComfyUiWorkflow } from "../providers/comfyui/comfyui-workflow.ts";
import { discoverAutomatic1111 } from "./automatic1111.ts";
import { discoverComfyUi } from "./comfyui.ts";
import { describeEntries, type DiscoveredEntry, type FoundModel } from "./describe-entry.ts";
import { discoverOpenAiCompatible } from "./openai-compatible.ts";
import { createReadServer, type ReadServer } from "./read-server.ts";
import { discoverSdcpp } from "./sdcpp.ts";

/**
 * Asks an own server which models, samplers and LoRAs it has, and describes them as entries of the
 * catalogue.
 *
 * @param server the one of several servers to ask. Default: the first.
 * @param priceEur price of one image, for the operator to change.
 * @throws Error that says what is wrong and what to do: the server does not respond, refuses the key,
 *   responds in another format, or is of a kind that cannot be asked.
 */
export async function discoverModels(
  settings: ProviderSettings,
  {
    priceEur,
    server,
    signal,
  }: {
    readonly priceEur: string;
    readonly server?: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<DiscoveredEntry[]> {
  const { name, kind, apiKey } = settings;
  const baseUrl = chooseServer(settings, server);
  const read = createReadServer({
    provider: name,
    baseUrl,
    credentials: credentialsOf(kind, apiKey),
    signal,
  });
  const found = await discover(settings, read);
  if (found.length === 0) {
    throw new Error(`The server of "${name}" has no models. Load one, and try again.`);
  }
  return describeEntries(found, name, priceEur);
}

/** The address of a provider's server. */
function chooseServer(
  { baseUrl, kind, name, servers }: ProviderSettings,
  wanted: string | undefined,
): string {
  const urls = servers?.map(({ url }) => url) ?? [baseUrl].filter((url) => url !== null);
  const [first] = urls;
  if (first === undefined) throw notAsked(name, kind);
  if (wanted === undefined) return first;
  const found = urls.find((url) => url === wanted.replace(/(?<!\/)\/+$/, ""));
  if (found !== undefined) return found;
  throw new Error(`"${name}" has no server ${wanted}. It has ${urls.join(", ")}.`);
}

async function discover(settings: ProviderSettings, read: ReadServer): Promise<FoundModel[]> {
  const { name, kind, workflowFile, maskField, hasNegativePrompt } = settings;
  if (kind === "sdcpp") return discoverSdcpp(read);
  if (kind === "automatic1111") return discoverAutomatic1111(read);
  if (kind === "openai-compatible") {
    return discoverOpenAiCompatible(read, { hasMask: maskField !== null, hasNegativePrompt });
  }
  if (kind !== "comfyui" || workflowFile === null) throw notAsked(name, kind);
  const text = await readFile(workflowFile, "utf8");
  const workflow = readComfyUiWorkflow(text, workflowFile);
  return discoverComfyUi(read, workflow, parse(workflowFile).name);
}

function notAsked(name: string, kind: string): Error {
  return new Error(
    `"${name}" is of the kind ${kind}, which cannot be asked. Only own servers can: sdcpp, comfyui, automatic1111 and openai-compatible.`,
  );
}

/** AUTOMATIC1111 has user and password, the others a token. */
function credentialsOf(kind: string, apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {};
  return {
    authorization:
      kind === "automatic1111"
        ? `Basic ${Buffer.from(apiKey).toString("base64")}`
        : `Bearer ${apiKey}`,
  };
}
