import { readSettingNames } from "@atelier/configuration";

/** The settings that `.env.example` lists under a heading such as `API`, with their defaults. */
export async function readEnvExample(heading: string): Promise<Record<string, string>> {
  const section = readSettingNames().get(heading);
  if (section === undefined) throw new Error(`.env.example has no heading "${heading}"`);
  return { ...section };
}
