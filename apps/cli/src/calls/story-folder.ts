import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Generation } from "@atelier/client";
import { UsageError } from "@atelier/configuration";

/**
 * Checks that a folder has no scenes of another story, which would look like part of this one.
 *
 * @param story the story to be saved; its own scenes, saved before, may be there. Null when it does not
 *   exist yet.
 * @throws UsageError naming a scene of another story.
 */
export async function assertNoOtherStory(folder: string, story: Generation | null): Promise<void> {
  const variants = story?.scenes?.flatMap(({ formats = {} }) => Object.values(formats)) ?? [];
  const own = new Set(variants.map(({ hash }) => hash));
  for (const name of await scenesIn(folder)) {
    const bytes = await readFile(join(folder, name));
    if (own.has(createHash("sha256").update(bytes).digest("hex"))) continue;
    throw new UsageError(
      `${join(folder, name)} is a scene of another story. Choose a new folder with -o.`,
    );
  }
}

/** The first of `name`, `name-2`, `name-3`, … that has no scenes. */
export async function findFreeFolder(name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? name : `${name}-${number}`;
    if ((await scenesIn(folder)).length === 0) return folder;
  }
}

/** Names of files that look like saved scenes; empty for a missing folder. */
async function scenesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^scene-\d+\.(png|jpe?g|webp)$/.test(name));
}
