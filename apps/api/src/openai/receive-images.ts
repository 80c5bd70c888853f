import type { Caller } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { AppError, describeProblems, maxImagesOfEdit } from "@atelier/schemas";
import type { Request, Response } from "express";
import { hash } from "node:crypto";
import type { ApiDependencies } from "../dependencies.ts";
import {
  removeUpload,
  reserveUploadQuota,
  storeUpload,
} from "../generations/uploads/store-upload.ts";
import type { Shares } from "../http/limits/shares.ts";
import { findProblem } from "../http/body/body-problem.ts";
import { formBytes, maxFormBytes, receiveForm, type FormFile } from "../http/body/receive-form.ts";
import { contextOf } from "../http/context.ts";
import { chargeRefusedUpload } from "../http/limits/rate-limit.ts";

/** The dependencies of requests that upload images. */
export type ReceivingDependencies = ApiDependencies & {
  readonly uploadBudget: Pick<Shares, "take">;
};

/** The form of a request with images. */
export interface ImageForm {
  readonly fields: Readonly<Record<string, string>>;
  /** Names of files that are neither an image nor the mask. */
  readonly otherFiles: readonly string[];
  readonly images: readonly FormImage[];
  readonly mask: FormImage | undefined;
  /** Stores the images as uploads, and gives up their memory. */
  store(): Promise<void>;
  /** Gives up the memory of the images. */
  discard(): void;
  /** Deletes the uploads; those that an unfinished job uses are left to the sweep. */
  remove(): Promise<void>;
}

/** An image of a form: what a plan and the hash of the request need of it. */
interface FormImage {
  readonly upload_id: string;
  readonly sha256: string;
}

/** A file of a form, with the upload that it becomes. */
interface ReceivedFile extends FormFile {
  readonly id: string;
}

/**
 * Handles a form with images, and removes what is left of them afterwards. A refused form is charged by
 * its size.
 *
 * @throws AppError when the form is malformed, too large, or has no image.
 */
export async function withImageForm(
  request: Request,
  response: Response,
  work: (form: ImageForm) => Promise<void>,
  dependencies: ReceivingDependencies,
): Promise<void> {
  const progress = { receivedBytes: 0 };
  try {
    const form = await receiveImageForm(request, response, progress, dependencies);
    try {
      await work(form);
    } finally {
      form.discard();
      await form.remove();
    }
  } catch (error) {
    await chargeRefusedUpload(error, progress.receivedBytes, response, dependencies);
    throw error;
  }
}

/**
 * Receives a form with images. They become uploads that exist only for this request: the plan of a job
 * refers to them, and they are deleted when the job no longer needs them.
 */
async function receiveImageForm(
  request: Request,
  response: Response,
  progress: { receivedBytes: number },
  dependencies: ReceivingDependencies,
): Promise<ImageForm> {
  const { caller } = contextOf(response);
  dependencies.parts.requireStorage();
  const bytes = formBytes(request);
  // A larger form is refused next and needs no memory.
  const release = dependencies.uploadBudget.take(
    caller.accountId,
    bytes > maxFormBytes ? 0 : bytes,
  );
  try {
    const { fields, files } = await receiveForm(request, response, progress);
    const problem = findProblem(fields, Object.keys(fields).length);
    if (problem !== null) throw problem;
    return createForm(fields, readFiles(files), caller, release, dependencies);
  } catch (error) {
    release();
    throw error;
  }
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
  const problems = [{ path, code, message }];
  return new AppError("invalid_request", describeProblems(problems), { details: problems });
}

function createForm(
  fields: Readonly<Record<string, string>>,
  { images, mask, others }: FormFiles,
  caller: Caller,
  release: () => void,
  dependencies: ReceivingDependencies,
): ImageForm {
  const { accountId } = caller;
  const pending: ReceivedFile[] = [];
  const stored: string[] = [];
  const receive = (file: FormFile): FormImage => {
    const id = newId();
    pending.push({ ...file, id });
    return { upload_id: id, sha256: hash("sha256", file.bytes) };
  };
  let isDiscarded = false;
  const discard = () => {
    if (isDiscarded) return;
    isDiscarded = true;
    pending.length = 0;
    release();
  };
  return {
    fields,
    otherFiles: others.map(({ name }) => name),
    images: images.map(receive),
    mask: mask === undefined ? undefined : receive(mask),
    discard,
    async store() {
      for (const { id, name, bytes } of pending) {
        stored.push(id);
        await reserveUploadQuota({ id, caller, sizeBytes: bytes.byteLength }, dependencies);
        const upload = await storeUpload({ id, caller, bytes, path: name }, dependencies);
        if (upload === null) throw new Error("an upload was removed while it was stored");
      }
      discard();
    },
    async remove() {
      for (const id of stored) {
        await removeUpload({ accountId, id }, dependencies).catch((failure: unknown) => {
          dependencies.logger.warn(
            { err: failure, uploadId: id },
            "upload of an edit remains, left to the sweep",
          );
        });
      }
    },
  };
}
