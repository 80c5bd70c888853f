import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Generation, StoryRequest } from "@atelier/client";
import type { Answer } from "../answer.ts";
import type { Caller } from "../calls/call.ts";
import { describeCost } from "../calls/describe-cost.ts";
import { prepareOutput, saveFile, saveImages, type SavedImage } from "../calls/save-images.ts";
import { assertNoOtherStory, findFreeFolder } from "../calls/story-folder.ts";
import { makeContactSheet } from "./contact-sheet.ts";

/**
 * Generates the story of the README, and saves its scenes and a contact sheet that shows the
 * consistency of its characters.
 */
export async function generateDemoStory(
  { atelier, follow }: Caller,
  flags: { readonly output?: string },
): Promise<Answer> {
  const output = flags.output ?? (await findFreeFolder("story-demo"));
  await prepareOutput("story", { output });
  await assertNoOtherStory(output, null);
  const text = await readFile(new URL("lighthouse-story.json", import.meta.url), "utf8");
  const story = await atelier.generateStory(JSON.parse(text) as StoryRequest, follow);
  const { signal } = follow;
  const files = await saveImages(atelier, story, { output, format: "png", signal });
  const [references, scenes] = await Promise.all([
    Promise.all(referencesOf(story).map((url) => atelier.images.download({ url }, { signal }))),
    Promise.all(files.map(({ file }) => readFile(file))),
  ]);
  const contactSheet = join(output, "contact-sheet.png");
  await saveFile(contactSheet, await makeContactSheet(references, scenes));
  return describe(story, files, contactSheet);
}

/** Portraits and locations. */
function referencesOf({ characters = [], locations = [] }: Generation): string[] {
  return [...characters, ...locations].flatMap(({ reference_url }) => reference_url ?? []);
}

function describe(story: Generation, files: readonly SavedImage[], contactSheet: string): Answer {
  const { title = "", scenes = [] } = story;
  const lines = [
    title,
    ...files.map(({ file }, index) => `  ${index + 1}  ${scenes[index]?.title ?? ""}  ${file}`),
    `Contact sheet: ${contactSheet}`,
    describeCost(story),
  ];
  return { json: { ...story, files, contact_sheet: contactSheet }, text: lines.join("\n") };
}
