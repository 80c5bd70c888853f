import type { StoryRequest } from "@atelier/client";
import type { ImageFormat } from "@atelier/schemas";
import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { describeCost } from "./describe-cost.ts";
import { readRequest } from "./read-request.ts";
import { prepareOutput, saveImages } from "./save-images.ts";
import { assertNoOtherStory, findFreeFolder } from "./story-folder.ts";

export interface StoryFlags {
  readonly model?: string;
  readonly format?: ImageFormat;
  /** Default: a new folder. */
  readonly output?: string;
  readonly idempotencyKey?: string;
}

/** Makes a story from a file and saves its scenes. */
export async function story(
  { atelier, follow }: Caller,
  path: string,
  flags: StoryFlags,
): Promise<Answer> {
  const output = flags.output ?? (await findFreeFolder("story"));
  await prepareOutput("story", { ...flags, output });
  // With a reused key, the same story may already be in the folder.
  if (flags.idempotencyKey === undefined) await assertNoOtherStory(output, null);
  const described = (await readRequest(path, "a story")) as unknown as StoryRequest;
  const request = flags.model === undefined ? described : { ...described, model: flags.model };
  const result = await atelier.generateStory(request, {
    ...follow,
    idempotencyKey: flags.idempotencyKey,
  });
  const files = await saveImages(atelier, result, { ...flags, output, signal: follow.signal });
  return {
    json: { ...result, files },
    text: files.map(({ file }) => file).join("\n"),
    note: `"${result.title ?? "A story"}", ${files.length} ${result.scenes.length === 0 ? "portraits and locations" : "scenes"}. ${describeCost(result)}`,
  };
}
