import { AppError, invalidRequest, maxImagesOfEdit, referenceOptionFields } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { RequestImages } from "../generations/plan/operations.ts";
import {
  withRequestImages,
  type ImageReceiving,
  type ReceivingDependencies,
} from "../generations/uploads/request-images.ts";
import { findProblem } from "../http/body/body-problem.ts";
import type { InlineImage } from "../http/body/cut-images.ts";
import { receiveForm, type FormFile } from "../http/body/receive-form.ts";
import { receiveJsonImages } from "../http/body/receive-json-images.ts";

/** A form with images, each of which becomes an upload. */
export interface ImageForm {
  readonly fields: Readonly<Record<string, string>>;
  /** Names of files that are neither an image nor the mask. */
  readonly otherFiles: readonly string[];
  readonly sources: readonly { readonly upload_id: string }[];
  readonly mask: { readonly upload_id: string } | undefined;
}

/** Names of members in the JSON of OpenAI's clients, and of others, that may have an image. */
const imageMembers = {
  base64: new Set<string>(),
  urls: new Set([...Object.keys(referenceOptionFields), "url", "mask"]),
};

/** The parameters that have images. */
const imageParameters = {
  generation: new Set(Object.keys(referenceOptionFields)),
  edit: new Set(["image", "images", "mask"]),
  chat: new Set(["messages"]),
};

/** The first images are changed or combined, and there may be a mask. */
const maxImages = maxImagesOfEdit + 1;

/**
 * Handles a JSON request of an OpenAI-compatible operation whose images may be `data:` URLs or base64, and
 * removes what is left of them afterwards. Each is replaced in the body by the id of an upload, for which
 * `images.has` is true and which a plan takes as `upload_id` once `images.store` has run.
 *
 * @param kind of the request, which has images in some parameters only.
 * @param work handles the body, which is not parsed by a schema yet.
 * @throws AppError when the body is malformed or too large, or an image cannot be used.
 */
export async function withJsonImages(
  request: Request,
  response: Response,
  kind: "generation" | "edit",
  work: (body: unknown, images: RequestImages) => Promise<void>,
  dependencies: ReceivingDependencies,
): Promise<void> {
  const receive = (receiving: ImageReceiving) =>
    receiveJsonImages(
      request,
      response,
      { ...imageMembers, within: imageParameters[kind], images: maxImages },
      receiving,
    );
  const operation = kind === "edit" ? "edit" : "image";
  await withRequestImages(
    request,
    response,
    { operation, receive, work: ({ body }, images) => work(body, images) },
    dependencies,
  );
}

/**
 * Like `withJsonImages` for a chat, which repeats earlier messages. An image that cannot be used, or that is
 * one too many, is refused by the handler if it needs it: `problems` has its error by its id.
 */
export async function withChatImages(
  request: Request,
  response: Response,
  work: (body: unknown, images: ChatImages) => Promise<void>,
  dependencies: ReceivingDependencies,
): Promise<void> {
  const problems = new Map<unknown, AppError>();
  const within = imageParameters.chat;
  const accepted = { ...imageMembers, within, images: maxImages, problems };
  const receive = (receiving: ImageReceiving) =>
    receiveJsonImages(request, response, accepted, receiving);
  await withRequestImages(
    request,
    response,
    {
      operation: "image",
      receive,
      work: ({ body }, images) => work(body, { ...images, problems }),
    },
    dependencies,
  );
}

/** The images of a chat, and the problems of those that cannot be used. */
export interface ChatImages extends RequestImages {
  readonly problems: ReadonlyMap<unknown, AppError>;
}

/**
 * Handles a form with images, and removes what is left of them afterwards.
 *
 * @throws AppError when the form is malformed, too large, or has no image.
 */
export async function withImageForm(
  request: Request,
  response: Response,
  work: (form: ImageForm, images: RequestImages) => Promise<void>,
  dependencies: ReceivingDependencies,
): Promise<void> {
  const receive = async (receiving: ImageReceiving) => {
    const { fields, files } = await receiveForm(request, response, receiving);
    const problem = findProblem(fields, Object.keys(fields).length);
    if (problem !== null) throw problem;
    return createForm(fields, readFiles(files), receiving);
  };
  await withRequestImages(request, response, { operation: "edit", receive, work }, dependencies);
}

/** The images and the mask of a form: clients write `image` or `image[]`, and `mask` or `mask[]`. */
interface FormFiles {
  readonly images: readonly FormFile[];
  readonly mask: FormFile | undefined;
  readonly others: readonly FormFile[];
}

function readFiles(files: readonly FormFile[]): FormFiles {
  const {
    images = [],
    masks = [],
    others = [],
  } = Object.groupBy(files, ({ name }) => {
    if (/^image(\[\d*\])?$/.test(name)) return "images";
    return /^mask(\[\d*\])?$/.test(name) ? "masks" : "others";
  });
  const [mask, ...otherMasks] = masks;
  if (images.length === 0) throw wrongFile("image", "required", "must be a file of the form");
  if (images.length > maxImagesOfEdit) {
    throw wrongFile("image", "too_many", `must be at most ${maxImagesOfEdit} files`);
  }
  if (otherMasks.length > 0) throw wrongFile("mask", "too_many", "must be one file");
  return { images, mask, others };
}

function wrongFile(path: string, code: string, message: string): AppError {
  return invalidRequest({ path, code, message });
}

function createForm(
  fields: ImageForm["fields"],
  { images: sources, mask, others }: FormFiles,
  { newId }: ImageReceiving,
): ImageForm & { readonly images: readonly InlineImage[] } {
  const images: InlineImage[] = [];
  const receive = ({ name, ...file }: FormFile) => {
    const id = newId();
    images.push({ id, path: name, ...file });
    return { upload_id: id };
  };
  return {
    fields,
    otherFiles: others.map(({ name }) => name),
    sources: sources.map(receive),
    mask: mask && receive(mask),
    images,
  };
}
