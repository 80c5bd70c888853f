import { assertScope } from "@atelier/accounts";
import { newId } from "@atelier/database";
import { AppError, parseRequest } from "@atelier/schemas";
import * as z from "zod";
import { presentUpload } from "../generations/uploads/present-upload.ts";
import {
  removeUpload,
  reserveUploadQuota,
  storeUpload,
} from "../generations/uploads/store-upload.ts";
import { contextOf } from "../http/context.ts";
import { answer, type Tool } from "./call.ts";

/** Input of `upload_image`. A message has at most 1 MB, and so has the image in base64. */
export const uploadInput = z.strictObject({
  image: z.base64().min(1).describe("A PNG, JPEG, WebP or AVIF of up to 700 KB, in base64."),
});

/** Stores an image, as `POST /v1/uploads` does. */
export const uploadTool: Tool = async (input, _context, { response, dependencies }) => {
  const { image } = parseRequest(uploadInput, input);
  const { caller } = contextOf(response);
  assertScope(caller, "generate");
  dependencies.parts.requireStorage();
  const bytes = Buffer.from(image, "base64");
  const id = newId();
  try {
    await reserveUploadQuota({ id, caller, sizeBytes: bytes.byteLength }, dependencies);
    const upload = await storeUpload({ id, caller, bytes, path: "image" }, dependencies);
    if (upload === null)
      throw new AppError("upload_not_found", "The upload was removed. Send the image again.");
    return answer(await presentUpload(upload, dependencies));
  } catch (error) {
    const { accountId } = caller;
    await removeUpload({ accountId, id }, dependencies).catch((failure: unknown) => {
      const { logger } = dependencies;
      logger.warn({ err: failure, uploadId: id }, "failed upload remains, left to the sweep");
    });
    throw error;
  }
};
