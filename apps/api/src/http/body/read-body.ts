import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import { isUtf8 } from "node:buffer";
import { contextOf } from "../context.ts";
import type { Shares } from "../limits/shares.ts";
import { admitJson, findProblem } from "./body-problem.ts";
import { findJsonError } from "./find-json-error.ts";
import { declaredBytes, maxBodyBytes, receiveBody } from "./receive-body.ts";
import { jsonLimits, type JsonLimits } from "./scan-json.ts";

/**
 * Reads a JSON body of at most 1 MB into `request.body`, in steps of increasing cost: headers,
 * declared size, memory for large bodies, bytes, a scan of the structure, parsing. A body is refused
 * at the first step that can detect the problem, so that a refused body costs less than an accepted
 * one.
 *
 * @throws AppError `unsupported_media_type`, `request_too_large`, `overloaded` or `invalid_request`.
 */
export const readBody = readBodyWithin(jsonLimits);

/** Creates a middleware like `readBody` with other limits on the structure. */
export function readBodyWithin(limits: JsonLimits) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    requireJson(request);
    const budget = request.app.locals["bodyBudget"] as Pick<Shares, "take">;
    const { accountId } = contextOf(response).caller;
    const declared = declaredBytes(request) ?? maxBodyBytes;
    // The next step refuses a larger declared size and needs no memory for it.
    const release = budget.take(accountId, declared > maxBodyBytes ? 0 : declared);
    try {
      request.body = readJson(await receiveBytes(request, response), limits);
    } finally {
      release();
    }
    next();
  };
}

async function receiveBytes(request: Request, response: Response): Promise<Buffer> {
  const bytes = await receiveBody(request, response);
  response.locals["bodyBytes"] = bytes.byteLength;
  return bytes;
}

/**
 * Parses a JSON body after all checks of its structure.
 *
 * @param firstLine line of the body at which these bytes begin, for errors.
 * @throws AppError `invalid_request`.
 */
export function readJson(bytes: Buffer, limits: JsonLimits = jsonLimits, firstLine = 1): unknown {
  // Decoding would replace invalid bytes with other characters (RFC 8259, section 8.1).
  if (!isUtf8(bytes)) throw notValid("UTF-8", "Encode", "invalid_text");
  const { members } = admitJson(bytes, limits);
  const body = bytes.byteLength === 0 ? {} : parse(bytes.toString(), firstLine);
  const problem = findProblem(body, members);
  if (problem !== null) throw problem;
  return body;
}

/** Leaves the body to the handler, which receives it itself. */
export function leaveBody(_request: Request, _response: Response, next: NextFunction): void {
  next();
}

/** Reads a JSON body like `readBody`; a request without a body gets an empty object. */
export async function readOptionalBody(
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  if (declaredBytes(request) !== 0) return readBody(request, response, next);
  request.body = {};
  next();
}

/** @throws AppError `unsupported_media_type` unless the body is UTF-8 JSON that is not compressed. */
export function requireJson(request: Request): void {
  if (request.is("application/json") !== "application/json") {
    throw new AppError(
      "unsupported_media_type",
      "Send the request as JSON, with the header Content-Type: application/json.",
    );
  }
  const [, charset = "utf-8"] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.get("Content-Type") ?? "") ?? [];
  const encoding = request.get("Content-Encoding") ?? "identity";
  if (!/^utf-?8$/i.test(charset) || encoding.toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", "Send the body as UTF-8, not compressed.");
  }
}

function parse(text: string, firstLine: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(text, firstLine, cause);
  }
}

/** The error for a text that is not JSON: where it stops being so, and what is expected there. */
function notJson(text: string, firstLine: number, cause: unknown): AppError {
  const error = findJsonError(text);
  if (error === null) return notValid("JSON", "Correct", "invalid_json", cause);
  const { column, expected } = error;
  const line = firstLine - 1 + error.line;
  const message = `not valid JSON: expected ${expected} at line ${line}, column ${column}`;
  return new AppError("invalid_request", `The body is ${message}. Correct it and send it again.`, {
    details: [{ path: "", code: "invalid_json", message, line, column }],
    cause,
  });
}

function notValid(expected: string, advice: string, code: string, cause?: unknown): AppError {
  return new AppError(
    "invalid_request",
    `The body is not valid ${expected}. ${advice} it and send it again.`,
    { details: [{ path: "", code, message: `not valid ${expected}` }], cause },
  );
}
