import { strFromU8, unzipSync } from "fflate";

/** A file as it is shown before and after the download. */
export interface ShownFile {
  readonly name: string;
  readonly content: Blob;
  /** Its text, or the texts of the files in a ZIP, the instructions first. */
  readonly parts: readonly { readonly name: string; readonly text: string }[];
}

/** Reads the texts of a skill file. */
export async function readSkillFile(name: string, content: Blob): Promise<ShownFile> {
  if (!name.endsWith(".zip")) {
    return { name, content, parts: [{ name, text: await content.text() }] };
  }
  const files = unzipSync(new Uint8Array(await content.arrayBuffer()));
  const parts = Object.entries(files).map(([path, bytes]) => ({
    name: path.slice(path.indexOf("/") + 1),
    text: strFromU8(bytes),
  }));
  const isSkill = (part: { readonly name: string }) => part.name === "SKILL.md";
  return {
    name,
    content,
    parts: [...parts.filter(isSkill), ...parts.filter((part) => !isSkill(part))],
  };
}
