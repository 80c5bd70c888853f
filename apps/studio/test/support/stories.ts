import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";

/** A part of the form of a story, such as `Scene 2` or a character, by its name. */
export const card = (page: Page, name: string): Locator =>
  page.getByRole("group", { name, exact: true });

/** Returns the prompts of the scenes of the form. */
export const scenePrompts = (page: Page): Promise<string[]> =>
  page
    .getByLabel("What happens")
    .evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value));

/** The story of the form as it is exported. */
export async function exported(page: Page): Promise<Record<string, unknown>> {
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  return JSON.parse(await readFile(await (await saving).path(), "utf8")) as Record<string, unknown>;
}

/** Imports a file into the form. */
export async function importFile(page: Page, content: string): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Import" }).click();
  await (
    await choosing
  ).setFiles({ name: "story.json", mimeType: "application/json", buffer: Buffer.from(content) });
}

/** The id of the story that the page shows. */
export function shownId(page: Page): string {
  return new URL(page.url()).pathname.split("/")[3] ?? "";
}

/** The cast of a story of suites, which give it scenes. */
export const pierStory = {
  model: "builtin-illustrator",
  title: "The pier",
  style: "flat illustration",
  characters: [
    {
      name: "Mira",
      description: "a girl with long red hair and a green coat",
      states: { raincoat: { description: "wearing a yellow raincoat" } },
    },
    { name: "Otto", description: "an old man with a white beard" },
  ],
  locations: [{ name: "Harbour", description: "a harbour with boats" }],
};
