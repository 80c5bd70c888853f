import { listUnits } from "@atelier/generations/claims";
import type { FoundGeneration } from "@atelier/generations/jobs";
import type { ChatCompletion } from "@atelier/schemas";
import type { Response } from "express";
import type { Needs } from "../dependencies.ts";
import { sendPieces, type Piece } from "../http/answer/send-files.ts";
import { contextOf } from "../http/context.ts";
import type { Shares } from "../http/limits/shares.ts";
import { findFile } from "./send-images.ts";
import { tokenUsageOf } from "./token-usage.ts";

/** Takes the place of the image in the JSON that is written around it. */
const imageMark = "\u0000";

/**
 * Sends the image of a completed generation as the message of an assistant: as one JSON body, or as a stream
 * with one chunk.
 *
 * @throws AppError `file_not_found` when its file is no longer kept.
 */
export async function sendChat(
  response: Response,
  generation: FoundGeneration,
  { isStream, signal }: { readonly isStream: boolean; readonly signal: AbortSignal },
  dependencies: Needs<"database" | "storage"> & { readonly memory: Shares },
): Promise<void> {
  const { completedAt, id, model, renders } = generation;
  const files = renders.map(({ images }) => findFile(images, "png"));
  const usage = tokenUsageOf(await listUnits(dependencies.database.repeatable, id));
  const message = {
    role: "assistant",
    content: "",
    images: [{ type: "image_url", index: 0, image_url: { url: imageMark } }],
  } satisfies ChatCompletion["choices"][number]["message"];
  const choice = { index: 0, [isStream ? "delta" : "message"]: message, finish_reason: "stop" };
  const text = JSON.stringify({
    id: `chatcmpl-${id}`,
    object: isStream ? "chat.completion.chunk" : "chat.completion",
    created: Math.floor((completedAt ?? new Date()).getTime() / 1_000),
    model,
    choices: [choice],
    ...(usage !== null && {
      usage: {
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens,
      },
    }),
  });
  const [before = "", after = ""] = text.split(JSON.stringify(imageMark));
  const pieces: Piece[] = [
    `${isStream ? "data: " : ""}${before}"data:image/png;base64,`,
    ...files,
    `"${after}${isStream ? "\n\ndata: [DONE]\n\n" : ""}`,
  ];
  const { accountId } = contextOf(response).caller;
  const type = isStream ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8";
  await sendPieces(response, pieces, { accountId, type, signal }, dependencies);
}
