import { readFile } from "node:fs/promises";

/** The settings that `.env.example` lists under a heading such as `API`, with their defaults. */
export async function readEnvExample(heading: string): Promise<Record<string, string>> {
  const text = await readFile(new URL("../../../.env.example", import.meta.url), "utf8");
  const section = text.split(/^# --- /m).find((part) => part.startsWith(`${heading} -`));
  if (section === undefined) throw new Error(`.env.example has no heading "${heading}"`);
  const lines = section.matchAll(/^([A-Z_]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value]));
}
