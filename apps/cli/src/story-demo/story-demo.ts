import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Generation, StoryRequest } from "@atelier/client";
import type { Answer } from "../answer.ts";
import type { Caller } from "../calls/call.ts";
import { saveFile, saveImages } from "../calls/save-images.ts";
import { makeContactSheet } from "./contact-sheet.ts";

/**
 * Has the service make the story of the README, and saves its scenes and a contact sheet on which one
 * sees that the characters stay themselves.
 */
export async function tellStory(
  { atelier, follow }: Caller,
  { output }: { readonly output: string },
): Promise<Answer> {
  const text = await readFile(new URL("lighthouse-story.json", import.meta.url), "utf8");
  const story = await atelier.generateStory(JSON.parse(text) as StoryRequest, follow);
  const { signal } = follow;
  const files = await saveImages(atelier, story, { output, format: "png", signal });
  const [references, scenes] = await Promise.all([
    Promise.all(referencesOf(story).map((url) => atelier.images.download({ url }, { signal }))),
    Promise.all(files.map(({ file }) => readFile(file))),
  ]);
  const sheet = join(output, "contact-sheet.png");
  await saveFile(sheet, await makeContactSheet(references, scenes));
  return describe(story, sheet, files);
}

/** Portraits and places. */
function referencesOf({ characters = [], locations = [] }: Generation): string[] {
  return [...characters, ...locations].flatMap(({ reference_url }) => reference_url ?? []);
}

function describe(
  { id, title = "", cost_eur, balance_eur, scenes = [] }: Generation,
  sheet: string,
  files: readonly { readonly file: string }[],
): Answer {
  const saved = files.map(({ file }, index) => ({ title: scenes[index]?.title ?? "", file }));
  const lines = [
    title,
    ...saved.map((scene, index) => `  ${index + 1}  ${scene.title}  ${scene.file}`),
    `Contact sheet: ${sheet}`,
    `${cost_eur} EUR charged, ${balance_eur} EUR left`,
  ];
  return {
    json: {
      jobId: id,
      title,
      costEur: cost_eur,
      balanceEur: balance_eur,
      sheet,
      scenes: saved,
    },
    text: lines.join("\n"),
  };
}
