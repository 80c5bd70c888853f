import {
  openaiEditForm,
  openaiEditRequest,
  openaiVariationForm,
  parseRequest,
  type EditRequest,
  type ImageSource,
  type OpenAIEditForm,
} from "@atelier/schemas";
import type { Request, Response } from "express";
import { planningFor } from "../generations/plan/test-catalogue.ts";
import { readBody } from "../http/body/read-body.ts";
import { contextOf } from "../http/context.ts";
import type { Shares } from "../http/limits/shares.ts";
import { answerWithImages } from "../openai/answer.ts";
import { chooseModel } from "../openai/choose-model.ts";
import { nameIgnored } from "../openai/ignored-fields.ts";
import { pickEditSize } from "../openai/pick-size.ts";
import { readMetadata } from "../openai/read-metadata.ts";
import {
  withImageForm,
  type ImageForm,
  type ReceivingDependencies,
} from "../openai/receive-images.ts";
import { readDelivery } from "../openai/send-images.ts";

type EditDependencies = ReceivingDependencies & { readonly memory: Shares };

/** The prompt of variations, which have none of their own. */
const variationPrompt = "A variation of this image: the same subject in the same style.";

/** The type of the events of a stream. */
const completed = "image_edit.completed";

/** How much a variation changes, from 0 (nothing) to 1 (all). */
const variationStrength = 0.5;

/**
 * `POST /v1/images/edits`: changes an image, compatible with OpenAI's API. The images are files of a form,
 * or in JSON URLs and uploads. The first one is changed, inside the mask if there is one; the others are
 * references.
 */
export function editOpenAIImages(dependencies: EditDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    if (request.is("application/json")) return editFromJson(request, response, dependencies);
    const answer = async (form: ImageForm) => {
      const { metadata, kept } = readMetadata(form.fields);
      const body = { ...parseRequest(openaiEditForm, form.fields), metadata };
      nameIgnored(sentOf(form), openaiEditForm, kept, response);
      const makeEdit = () => readEdit(body, form, response, dependencies);
      await answerWithImages(
        request,
        response,
        {
          delivery: readDelivery(body, completed, dependencies.config),
          ...fromForm(body, makeEdit, form),
        },
        dependencies,
      );
    };
    await withImageForm(request, response, answer, dependencies);
  };
}

async function editFromJson(
  request: Request,
  response: Response,
  dependencies: EditDependencies,
): Promise<void> {
  await readBody(request, response, () => undefined);
  const { metadata, kept } = readMetadata(request.body as object);
  const body = { ...parseRequest(openaiEditRequest, request.body), metadata };
  nameIgnored(request.body as object, openaiEditRequest, kept, response);
  const images = body.images.map(({ image_url, file_id }) => ({
    url: image_url,
    upload_id: file_id,
  }));
  const mask = body.mask && { url: body.mask.image_url, upload_id: body.mask.file_id };
  await answerWithImages(
    request,
    response,
    {
      delivery: readDelivery(body, completed, dependencies.config),
      convert: () => ({
        operation: "edit",
        body: readEdit(body, { images, mask }, response, dependencies),
      }),
      fields: body,
    },
    dependencies,
  );
}

/** `POST /v1/images/variations`: images that resemble the file of a form. */
export function varyOpenAIImage(dependencies: EditDependencies) {
  return async (request: Request, response: Response): Promise<void> => {
    const answer = async (form: ImageForm) => {
      const { metadata, kept } = readMetadata(form.fields);
      const body = { ...parseRequest(openaiVariationForm, form.fields), metadata };
      nameIgnored(sentOf(form), openaiVariationForm, kept, response);
      const makeEdit = () => ({
        ...readEdit({ ...body, prompt: variationPrompt }, form, response, dependencies),
        strength: variationStrength,
      });
      await answerWithImages(
        request,
        response,
        {
          delivery: readDelivery(body, completed, dependencies.config),
          ...fromForm(body, makeEdit, form),
        },
        dependencies,
      );
    };
    await withImageForm(request, response, answer, dependencies);
  };
}

/** All names that a form has, for those without an effect. */
function sentOf({ fields, otherFiles }: ImageForm): object {
  return { ...fields, ...Object.fromEntries(otherFiles.map((name) => [name, "file"])) };
}

/** The request of a form: its idempotency key is bound to the hashes of its images. */
function fromForm(fields: object, makeEdit: () => EditRequest, form: ImageForm) {
  const { images, mask } = form;
  const hashes = { images: images.map(({ sha256 }) => sha256), mask: mask?.sha256 };
  return {
    convert: () => ({
      operation: "edit" as const,
      body: makeEdit(),
      storeImages: () => form.store(),
    }),
    fields: { ...fields, ...hashes },
    onJob: () => form.discard(),
  };
}

/** The images of a request, wherever they are. */
interface EditImages {
  readonly images: readonly ImageSource[];
  readonly mask: ImageSource | undefined;
}

/** Converts an edit of OpenAI's API to one of this service. */
function readEdit(
  body: Partial<OpenAIEditForm> & Pick<OpenAIEditForm, "prompt">,
  { images, mask }: EditImages,
  response: Response,
  dependencies: EditDependencies,
): EditRequest {
  const { prompt, n, seed, negative_prompt, size, background, moderation, metadata } = body;
  const { caller } = contextOf(response);
  const { catalogue } = planningFor(caller, "edit", dependencies);
  const planning = { ...dependencies, catalogue };
  const model = chooseModel(body.model, "edit", mask !== undefined, caller, planning);
  const entry = catalogue.find(model);
  // With a mask, built-in models keep the size of the image, which the nearest size may not be.
  const keepsSize = entry.procedural && mask !== undefined;
  const [image = {}, ...others] = images.map(toSource);
  return {
    model,
    prompt,
    n,
    seed,
    negative_prompt,
    image,
    mask: mask && toSource(mask),
    ...(keepsSize ? {} : pickEditSize(entry, size, mask !== undefined)),
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
