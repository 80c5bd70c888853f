import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
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

export type Shipped = keyof typeof describedVendors | (typeof describedServers)[number];

/** The names of the descriptions of this repository. */
export const shipped = [...Object.keys(describedVendors), ...describedServers] as Shipped[];

/** Whether a kind of provider is a description of this repository. */
export function isShipped(kind: string): kind is Shipped {
  return shipped.some((name) => name === kind);
}

/** The path of a description of this repository. */
export function shippedFile(name: Shipped): string {
  return fileURLToPath(new URL(`../../../providers/${name}.json`, import.meta.url));
}

/**
 * Reads a description.
 *
 * @throws Error that names the file and each problem in it.
 */
export async function readDescription(file: string): Promise<Description> {
  const named = `The description ${file}`;
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Error(`${named} cannot be read.`, { cause });
  });
  return readJsonText(text, description, named);
}

/** Reads a description of this repository. */
export async function readShipped(name: Shipped): Promise<Description> {
  return readDescription(shippedFile(name));
}
