import { readFile } from "node:fs/promises";
import { readJsonText } from "../../read-json-file.ts";
import { description, type Description } from "./description.ts";

/*
 * The descriptions of this repository, each in packages/models/providers/<name>.json.
 */

/** Described vendors, with the environment variable that holds the key of each. */
export const describedVendors = {
  fal: "FAL_KEY",
  replicate: "REPLICATE_API_TOKEN",
  openrouter: "OPENROUTER_API_KEY",
  seedream: "ARK_API_KEY",
  ideogram: "IDEOGRAM_API_KEY",
  qwen: "DASHSCOPE_API_KEY",
  xai: "XAI_API_KEY",
} as const;

/** Described servers, which have an address of the operator's own. */
export const describedServers = ["azure-openai", "nvidia-nim", "bentoml"] as const;

type Shipped = keyof typeof describedVendors | (typeof describedServers)[number];

/** Reads a description of this repository. */
export async function readShipped(name: Shipped): Promise<Description> {
  const url = new URL(`../../../providers/${name}.json`, import.meta.url);
  return readJsonText(await readFile(url, "utf8"), description, `The description ${name}.json`);
}
