import {
  openaiEditForm,
  openaiEditRequest,
  openaiVariationForm,
  type EditRequest,
  type ImageSource,
  type OpenAIEditForm,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import type * as z from "zod";
import type { Needs } from "../dependencies.ts";
import type { SubmitDependencies } from "../generations/accept/submit.ts";
import type { RequestImages } from "../generations/plan/operations.ts";
import { planningFor } from "../generations/plan/test-catalogue.ts";
import { contextOf } from "../http/context.ts";
import type { Shares } from "../http/limits/shares.ts";
import { answerWithImages } from "../openai/answer.ts";
import { chooseModel } from "../openai/choose-model.ts";
import { readParameters, type SentParameters } from "../openai/ignored-fields.ts";
import { honourOptions } from "../openai/model-options.ts";
import { pickEditSize } from "../openai/pick-size.ts";
import { listImages } from "../openai/list-images.ts";
import { withImageForm, withJsonImages, type ImageForm } from "../openai/receive-images.ts";
import { readDelivery } from "../openai/send-images.ts";
import type { ReceivingDependencies } from "../generations/uploads/request-images.ts";

export type EditDependencies = ReceivingDependencies &
  SubmitDependencies &
  Needs<"modelAliases"> & { readonly memory: Shares };

/** The prompt of variations, which have none of their own. */
const variationPrompt = "A variation of this image: the same subject in the same style.";

/** The type of the events of a stream. */
const completed = "image_edit.completed";

/** How much a variation changes, from 0 (nothing) to 1 (all). */
const variationStrength = 0.5;

/**
 * `POST /v1/images/edits`: changes an image, compatible with OpenAI's API. The images are files of a form, or in JSON
 * URLs, uploads, `data:` URLs and base64. The first one is changed, inside the mask if the request has one; the others
 * are references.
 */
export function editOpenAIImages(dependencies: EditDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    if (request.is("application/json")) return editFromJson(request, response, dependencies);
    const form = { schema: openaiEditForm, complete: (body: OpenAIEditForm) => body };
    await editFromForm(request, response, form, dependencies);
  };
}

/** `POST /v1/images/variations`: images that resemble the file of a form. */
export function varyOpenAIImage(dependencies: EditDependencies) {
  const fixed = { prompt: variationPrompt, strength: variationStrength };
  return (request: Request, response: Response): Promise<void> =>
    editFromForm(
      request,
      response,
      { schema: openaiVariationForm, complete: (body) => ({ ...body, ...fixed }) },
      dependencies,
    );
}

/** The fields of an edit in the terms of OpenAI's API. */
type EditFields = Partial<OpenAIEditForm> & Pick<OpenAIEditForm, "prompt">;

async function editFromForm<Schema extends typeof openaiEditForm | typeof openaiVariationForm>(
  request: Request,
  response: Response,
  {
    schema,
    complete,
  }: {
    readonly schema: Schema;
    /** Adds the fields of an edit that the form does not have. */
    readonly complete: (body: z.infer<Schema>) => EditFields;
  },
  dependencies: EditDependencies,
): Promise<void> {
  const answer = async (form: ImageForm, received: RequestImages) => {
    const { body, parameters } = readParameters(
      schema,
      { request, response },
      form.fields,
      sentOf(form),
    );
    const makeEdit = () => readEdit(complete(body), imagesOf(form), parameters, dependencies);
    await answerWithImages(
      request,
      response,
      {
        delivery: readDelivery(body, completed, dependencies.config),
        ...fromImages(withIds(body, form), makeEdit, received),
      },
      dependencies,
    );
  };
  await withImageForm(request, response, answer, dependencies);
}

async function editFromJson(
  request: Request,
  response: Response,
  dependencies: EditDependencies,
): Promise<void> {
  const answer = async (sent: unknown, received: RequestImages) => {
    const listed = listImages(sent, received) as object;
    const { body, parameters } = readParameters(openaiEditRequest, { request, response }, listed);
    const images = body.images.map(({ image_url, file_id }) => ({
      url: image_url,
      upload_id: file_id,
    }));
    const mask = body.mask && { url: body.mask.image_url, upload_id: body.mask.file_id };
    const makeEdit = () => readEdit(body, { images, mask }, parameters, dependencies);
    await answerWithImages(
      request,
      response,
      {
        delivery: readDelivery(body, completed, dependencies.config),
        ...fromImages(body, makeEdit, received),
      },
      dependencies,
    );
  };
  await withJsonImages(request, response, "edit", answer, dependencies);
}

/** All names that a form has, for those without an effect. */
function sentOf({ fields, otherFiles }: ImageForm): object {
  return { ...fields, ...Object.fromEntries(otherFiles.map((name) => [name, "file"])) };
}

/** The request with images: its idempotency key is bound to their hashes. */
function fromImages(fields: object, makeEdit: () => EditRequest, received: RequestImages) {
  return {
    convert: () => ({ operation: "edit" as const, body: makeEdit(), images: received }),
    fields: received.bind(fields),
    onJob: () => received.discard(),
  };
}

/** The images of a request, wherever they are. */
interface EditImages {
  readonly images: readonly ImageSource[];
  readonly mask: ImageSource | undefined;
}

/** The fields of a form, with the ids of its images. */
function withIds(fields: object, { sources, mask }: ImageForm): object {
  return { ...fields, images: sources.map(({ upload_id }) => upload_id), mask: mask?.upload_id };
}

function imagesOf({ sources, mask }: ImageForm): EditImages {
  return { images: sources, mask };
}

/** Converts an edit of OpenAI's API to one of this service. */
export function readEdit(
  body: EditFields,
  { images, mask }: EditImages,
  parameters: SentParameters,
  dependencies: EditDependencies,
): EditRequest {
  const { prompt, n, strength, size, background, moderation, metadata } = body;
  const { caller } = contextOf(parameters.response);
  const { catalogue } = planningFor(caller, "edit", dependencies);
  const planning = { ...dependencies, catalogue };
  const model = chooseModel(body.model, "edit", mask !== undefined, caller, planning);
  const entry = catalogue.find(model);
  // With a mask, built-in models keep the size of the image, which the nearest size may not be.
  const keepsSize = entry.procedural && mask !== undefined;
  const [image = {}, ...others] = images.map(toSource);
  const wanted = keepsSize ? { ...body, image_size: undefined } : body;
  // `images` of JSON are those of the edit, not references under another name.
  const { images: _images, ...sent } = parameters.sent as { readonly images?: unknown };
  const { references: _, ...options } = honourOptions(
    { ...wanted, images: undefined },
    { ...parameters, sent },
    entry,
    dependencies,
  );
  return {
    model,
    prompt,
    n,
    strength,
    image,
    mask: mask && toSource(mask),
    ...(keepsSize ? {} : pickEditSize(entry, size, mask !== undefined)),
    ...options,
    reference_images: others.map((source, index) => ({
      description: `image ${index + 2} of the request`,
      ...source,
    })),
    background: background === "transparent" ? background : undefined,
    strictness: moderation === "low" ? "liberal" : undefined,
    metadata,
  };
}

function toSource({ url, upload_id }: ImageSource): ImageSource {
  return url === undefined ? { upload_id } : { url };
}
