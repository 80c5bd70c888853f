import type { Verification } from "@atelier/schemas";
import { ApiError, sendJson } from "../../api.ts";
import { formatBytes } from "../../format.ts";
import { texts } from "../../texts/verify.ts";
import type { Subject } from "../../ui/use-transfers.ts";
import { readKind } from "./file-kind.ts";

/** The largest file that the service checks, in bytes. */
const maxBytes = 25 * 1_048_576;

/** A file that cannot be checked, and what to do instead. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
}

/**
 * Asks the service for the origin of a picture.
 *
 * @throws FileProblem for a file that cannot be checked.
 * @throws ApiError when the service cannot check it now.
 */
export async function check(subject: Subject): Promise<Verification> {
  if ("sha256" in subject) return sendJson("POST", "/verify", { body: subject });
  const { file } = subject;
  if (file.size === 0) throw new FileProblem(texts.verify.emptyFile);
  if (file.size > maxBytes) throw new FileProblem(texts.verify.tooLarge(formatBytes(file.size)));
  const kind = await readKind(file).catch((cause: unknown) => {
    throw new FileProblem(texts.verify.unreadable, { cause });
  });
  if (kind === "heic") throw new FileProblem(texts.verify.heic);
  // The service reads the kind of the picture from its bytes.
  const body = file.type.startsWith("image/")
    ? file
    : new Blob([file], { type: "application/octet-stream" });
  try {
    return await sendJson("POST", "/verify", { body });
  } catch (error) {
    if (!(error instanceof ApiError) || ![415, 422].includes(error.status)) throw error;
    const message = kind === "other" ? texts.verify.otherKind : texts.verify.damaged;
    throw new FileProblem(message, { cause: error });
  }
}
