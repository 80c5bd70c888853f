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

/** Members of the messages of a chat whose text may contain images, as Markdown. */
const chatTexts = new Set(["content", "text"]);

/** The first images are changed or combined, and there may be a mask. */
const maxImages = maxImagesOfEdit + 1;

/** The images of a JSON request. */
export interface JsonImages extends RequestImages {
  /**
   * Errors of images that cannot be used or are one too many, by the ids that replace them. Only a chat has any: it
   * repeats earlier messages, so that its handler refuses an image if it needs it.
   */
  readonly problems: ReadonlyMap<unknown, AppError>;
}

/**
 * Handles a JSON request of an OpenAI-compatible operation whose images may be `data:` URLs or base64, and
 * removes what is left of them afterwards. Each is replaced in the body by the id of an upload, for which
 * `images.has` is true and which a plan takes as `upload_id` once `images.store` has run.
 *
 * @param kind of the request, which has images in some parameters only.
 * @param work handles the body, which is not parsed by a schema yet.
 * @returns what `work` returns.
 * @throws AppError when the body is malformed or too large, or an image cannot be used.
 */
export async function withJsonImages<Result>(
  request: Request,
  response: Response,
  kind: keyof typeof imageParameters,
  work: (body: unknown, images: JsonImages) => Promise<Result>,
  dependencies: ReceivingDependencies,
): Promise<Result> {
  const problems = new Map<unknown, AppError>();
  const accepted = {
    ...imageMembers,
    within: imageParameters[kind],
    images: maxImages,
    ...(kind === "chat" && { problems, texts: chatTexts }),
  };
  return withRequestImages(
    request,
    response,
    {
      operation: kind === "edit" ? "edit" : "image",
      receive: (receiving) => receiveJsonImages(request, response, accepted, receiving),
      work: ({ body }, images) => work(body, { ...images, problems }),
    },
    dependencies,
  );
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
  if (images.length === 0) {
    throw invalidRequest({
      path: "image",
      code: "required",
      message: "must be a file of the form",
    });
  }
  if (images.length > maxImagesOfEdit) {
    const message = `must be at most ${maxImagesOfEdit} files`;
    throw invalidRequest({ path: "image", code: "too_many", message });
  }
  if (otherMasks.length > 0) {
    throw invalidRequest({ path: "mask", code: "too_many", message: "must be one file" });
  }
  return { images, mask, others };
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
