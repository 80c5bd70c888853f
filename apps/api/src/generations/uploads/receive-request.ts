import { AppError, invalidRequest, maxUploadBytes, type Operation } from "@atelier/schemas";
import type { Request, Response } from "express";
import * as z from "zod";
import { findProblem } from "../../http/body/body-problem.ts";
import type { InlineImage } from "../../http/body/cut-images.ts";
import { readJson } from "../../http/body/read-body.ts";
import { receiveForm, type FormFile } from "../../http/body/receive-form.ts";
import { receiveJsonImages } from "../../http/body/receive-json-images.ts";
import type { RequestImages } from "../plan/operations.ts";
import {
  withRequestImages,
  type ImageReceiving,
  type ReceivingDependencies,
} from "./request-images.ts";

/** A request names fewer images: a story has up to ten characters with states, and locations. */
const maxImages = 64;
const imageMembers = { base64: new Set(["base64"]), urls: new Set<string>(), images: maxImages };
/** One image, and texts and headers of a form. */
const maxFormBytes = maxUploadBytes + 200_000;

interface ReceivedRequest {
  /** Not validated. Its images are named by `upload_id`. */
  readonly body: unknown;
  readonly images: readonly InlineImage[];
}

/**
 * Receives the body of an operation, JSON or the form of one that changes one image, and handles it. Removes
 * what is left of its images afterwards.
 *
 * @param schema the request of the operation.
 * @throws AppError when the body is malformed or too large, or an image cannot be used.
 */
export async function withReceivedRequest(
  request: Request,
  response: Response,
  {
    operation,
    schema,
    work,
  }: {
    readonly operation: Operation;
    readonly schema: z.ZodObject;
    readonly work: (body: unknown, images: RequestImages) => Promise<void>;
  },
  dependencies: ReceivingDependencies,
): Promise<void> {
  const files = Object.keys(schema.shape).filter((name) => imageFiles.has(name));
  const isForm = files.includes("image") && Boolean(request.is("multipart/form-data"));
  const receive = (receiving: ImageReceiving) =>
    isForm
      ? receiveOperationForm(request, response, schema, files, receiving)
      : receiveOperation(request, response, receiving);
  await withRequestImages(
    request,
    response,
    { operation, receive, work: ({ body }, images) => work(body, images) },
    dependencies,
  );
}

/** Images of operations that change one image, as files of a form. */
const imageFiles: ReadonlySet<string> = new Set(["image", "mask", "markup"]);

async function receiveOperation(
  request: Request,
  response: Response,
  receiving: ImageReceiving,
): Promise<ReceivedRequest> {
  const { body, images } = await receiveJsonImages(request, response, imageMembers, receiving);
  if (images.length > 0) nameUploads(body, new Set(images.map(({ id }) => id)));
  return { body, images };
}

/** Members beside which `base64` would be a second source. */
const otherSources = ["url", "upload_id", "job_id", "character_id", "location_id"];

/** Names the images of a body by `upload_id` in place of `base64`. */
function nameUploads(value: unknown, ids: ReadonlySet<unknown>): void {
  if (typeof value !== "object" || value === null) return;
  const object = value as Record<string, unknown>;
  if (ids.has(object["base64"]) && otherSources.every((name) => object[name] == null)) {
    object["upload_id"] = object["base64"];
    delete object["base64"];
  }
  for (const inner of Object.values(object)) nameUploads(inner, ids);
}

async function receiveOperationForm(
  request: Request,
  response: Response,
  schema: z.ZodObject,
  names: readonly string[],
  receiving: ImageReceiving,
): Promise<ReceivedRequest> {
  const { fields, files } = await receiveForm(request, response, receiving, maxFormBytes);
  const problem = findProblem(fields, Object.keys(fields).length);
  if (problem !== null) throw problem;
  // Forms of HTML send an empty text for a field that was not filled in.
  const filled = Object.entries(fields).filter(([, text]) => text !== "");
  const body: Record<string, unknown> = Object.fromEntries(
    filled.map(([name, text]) => [name, readField(schema.shape[name], text)]),
  );
  const images = files.map(({ name, ...file }: FormFile) => {
    if (!names.includes(name) || name in body) throw wrongFile(name, names);
    const id = receiving.newId();
    body[name] = { upload_id: id };
    return { id, path: name, ...file };
  });
  return { body, images };
}

/** The value of a field: its text where the request takes one, otherwise JSON. */
function readField(schema: z.core.$ZodType | undefined, text: string): unknown {
  if (schema === undefined || z.safeParse(schema, text).success) return text;
  try {
    return readJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof AppError) return text;
    throw error;
  }
}

function wrongFile(name: string, names: readonly string[]): AppError {
  const path = name.slice(0, 100);
  const message = `must be the only one of its name, and a file one of ${names.join(", ")}`;
  return invalidRequest({ path, code: "unknown_property", message });
}
