import { readFile } from "node:fs/promises";
import type { StoryRequest } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { ImageFormat } from "@atelier/schemas";
import { parse as parseYaml } from "yaml";
import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { describeCost } from "./describe-cost.ts";
import { prepareOutput, saveImages } from "./save-images.ts";

export interface StoryFlags {
  readonly model?: string;
  readonly format?: ImageFormat;
  readonly output: string;
  readonly idempotencyKey?: string;
}

/** Makes the story that a file describes, and saves its scenes. */
export async function story(
  { atelier, follow }: Caller,
  path: string,
  flags: StoryFlags,
): Promise<Answer> {
  await prepareOutput("story", flags);
  const described = await readStory(path);
  const request = flags.model === undefined ? described : { ...described, model: flags.model };
  const made = await atelier.generateStory(request, {
    ...follow,
    idempotencyKey: flags.idempotencyKey,
  });
  const files = await saveImages(atelier, made, { ...flags, signal: follow.signal });
  return {
    json: { ...made, files },
    text: files.map(({ file }) => file).join("\n"),
    note: `"${made.title ?? "A story"}", ${files.length} scenes. ${describeCost(made)}`,
  };
}

/**
 * Reads the body of a request from JSON or YAML; the service says what is wrong in it.
 *
 * @throws UsageError when there is no such file, or it holds something else.
 */
async function readStory(path: string): Promise<StoryRequest> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new UsageError(`${path} can't be read. Name a file in JSON or YAML.`, { cause });
  });
  try {
    const content: unknown = path.endsWith(".json") ? JSON.parse(text) : parseYaml(text);
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
      throw new Error("it must hold model, characters and scenes");
    }
    return content as StoryRequest;
  } catch (cause) {
    const [reason] = (cause as Error).message.split("\n");
    throw new UsageError(`${path} is not a story: ${reason}`, { cause });
  }
}
