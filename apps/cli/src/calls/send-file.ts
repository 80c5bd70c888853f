import type { Generation, GenerateOptions } from "@atelier/client";
import { operations, type ImageFormat, type Operation } from "@atelier/schemas";
import type { Answer } from "../answer.ts";
import type { Caller } from "./call.ts";
import { describeCost } from "./describe-cost.ts";
import { readRequest } from "./read-request.ts";
import { prepareOutput, saveImages } from "./save-images.ts";

export interface FileFlags {
  readonly model?: string;
  readonly format?: ImageFormat;
  readonly output: string;
  readonly idempotencyKey?: string;
}

/** Sends the request of a file, and saves the images that it makes. */
export async function sendFile(
  { atelier, follow }: Caller,
  operation: Operation,
  path: string,
  flags: FileFlags,
): Promise<Answer> {
  await prepareOutput("image", flags);
  const content = await readRequest(path, `a request for ${operation}`);
  const request = flags.model === undefined ? content : { ...content, model: flags.model };
  // The service validates the content of the file.
  const send = atelier[operations[operation].method] as (
    content: object,
    options: GenerateOptions,
  ) => Promise<Generation>;
  const result = await send(request, { ...follow, idempotencyKey: flags.idempotencyKey });
  const files = await saveImages(atelier, result, { ...flags, signal: follow.signal });
  return {
    json: { ...result, files },
    text: files.map(({ file }) => file).join("\n"),
    note: `Made with ${result.model}. ${describeCost(result)}`,
  };
}
