import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import { declaredBytes, receiveBody } from "./receive-body.ts";

/** Longest body that is read to see whether it is an empty object, in bytes. */
const readBytes = 64;

/**
 * Refuses a body on a route that takes none, because it would be dropped silently. Many clients send an
 * empty object with every request, which is accepted. Reads no more than is needed to see that.
 *
 * @throws AppError `invalid_request`.
 */
export async function refuseBody(
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  const declared = declaredBytes(request);
  if (declared !== 0) {
    if (declared !== null && declared > readBytes) throw takesNoBody();
    const text = (await receiveShort(request, response)).toString().trim();
    if (text !== "" && !/^\{\s*\}$/.test(text)) throw takesNoBody();
  }
  next();
}

/** @throws AppError `invalid_request` for a chunked body that is longer than an empty object. */
async function receiveShort(request: Request, response: Response): Promise<Buffer> {
  try {
    return await receiveBody(request, response, readBytes);
  } catch (error) {
    if (error instanceof AppError && error.code === "request_too_large") throw takesNoBody();
    throw error;
  }
}

function takesNoBody(): AppError {
  return new AppError(
    "invalid_request",
    "This request takes no body. Send it without one, or with an empty object.",
    { details: [{ path: "", code: "unexpected_body", message: "must be empty" }] },
  );
}
