import { supportsCapability } from "@atelier/models";
import { chatRequest, type AppError, type ChatRequest } from "@atelier/schemas";
import { createChatCompletion } from "@atelier/schemas/endpoints";
import type { Request, Response } from "express";
import { planningFor } from "../generations/plan/test-catalogue.ts";
import { leaveBody } from "../http/body/read-body.ts";
import { contextOf } from "../http/context.ts";
import type { Routes } from "../http/routes.ts";
import { answerWithImages } from "../openai/answer.ts";
import { chooseModel } from "../openai/choose-model.ts";
import { readParameters, type SentParameters } from "../openai/ignored-fields.ts";
import { findNoImageProblem, readChat } from "../openai/read-chat.ts";
import { withJsonImages, type JsonImages } from "../openai/receive-images.ts";
import { sendChat } from "../openai/send-chat.ts";
import { readEdit, type EditDependencies } from "./openai-edits.ts";
import { readImage } from "./openai-images.ts";

/** `POST /v1/chat/completions`: an image of the last message of a chat, compatible with OpenRouter. */
export function serveChat(routes: Routes, dependencies: EditDependencies): void {
  const answer = async (request: Request, response: Response) => {
    const refusal = await withJsonImages(
      request,
      response,
      "chat",
      (sent, received) => answerChat(request, response, { sent, received }, dependencies),
      dependencies,
    );
    // An error that is thrown above is charged for the images that the chat repeats.
    if (refusal !== null) throw refusal;
  };
  routes.send(createChatCompletion, answer, { body: leaveBody });
}

/** Answers a chat; returns an error instead if it asks for no image, such as one for a title. */
async function answerChat(
  request: Request,
  response: Response,
  { sent, received }: { readonly sent: unknown; readonly received: JsonImages },
  dependencies: EditDependencies,
): Promise<AppError | null> {
  const { body, parameters } = readParameters(chatRequest, { request, response }, sent as object);
  const refusal = findNoImageProblem(body, dependencies.config.CHAT_IMAGE_DEFAULT === "on");
  if (refusal !== null) return refusal;
  const wish = readChat(body, received);
  const { messages: _, ...fields } = body;
  const isStream = body.stream ?? false;
  await answerWithImages(
    request,
    response,
    {
      convert: () => ({
        ...convert(body, wish, parameters, dependencies),
        images: received,
      }),
      fields: received.bind({ ...fields, ...wish }),
      onJob: () => received.discard(),
      delivery: {
        eventType: isStream ? "chat.completion.chunk" : null,
        send: (to, generation, signal) =>
          sendChat(to, generation, { isStream, signal }, dependencies),
      },
    },
    dependencies,
  );
  return null;
}

/**
 * Converts a chat to a request of this service. Images of the user are references, or changed by a model
 * without references; without them, the image of the assistant is changed.
 */
function convert(
  { model: name, seed, image_config: { aspect_ratio, image_size } = {}, metadata }: ChatRequest,
  { prompt, references, earlier }: ReturnType<typeof readChat>,
  parameters: SentParameters,
  dependencies: EditDependencies,
) {
  const { caller } = contextOf(parameters.response);
  const isEdit = references.length === 0 && earlier !== null;
  const { catalogue } = planningFor(caller, isEdit ? "edit" : "image", dependencies);
  const planning = { ...dependencies, catalogue };
  const model = chooseModel(name, isEdit ? "edit" : "image", false, caller, planning);
  const entry = catalogue.find(model);
  const canEdit = supportsCapability(entry, "edit") && !entry.requires_mask;
  const fields = { model, prompt, seed, metadata, image_size };
  const sources = isEdit && earlier !== null ? [earlier] : references;
  if (canEdit && (isEdit || (sources.length > 0 && entry.max_reference_images === 0))) {
    const body = readEdit(fields, { images: sources, mask: undefined }, parameters, dependencies);
    return { operation: "edit" as const, body };
  }
  const image = readImage({ ...fields, aspect_ratio }, parameters, dependencies);
  return {
    operation: "image" as const,
    body: {
      ...image,
      ...(references.length > 0 && {
        reference_images: references.map((source, index) => ({
          description: `image ${index + 1} of the message`,
          ...source,
        })),
      }),
    },
  };
}
