import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import { isUtf8 } from "node:buffer";
import { contextOf } from "../context.ts";
import { smallBytes, type Shares } from "../limits/shares.ts";
import { admitJson, findProblem } from "./body-problem.ts";
import { isCompressed } from "./decode-body.ts";
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
    const memory = takeMemory(budget, accountId);
    memory.grow(declared > maxBodyBytes ? 0 : declared);
    try {
      request.body = readJson(await receiveBytes(request, response, memory.grow), limits);
    } finally {
      memory.release();
    }
    next();
  };
}

/** Takes memory for a body that may grow while it is decompressed; `grow` throws `overloaded`. */
function takeMemory(budget: Pick<Shares, "take">, accountId: string) {
  const releases: (() => void)[] = [];
  let taken = 0;
  const grow = (bytes: number): void => {
    if (bytes <= taken + smallBytes) return;
    releases.push(budget.take(accountId, bytes - taken));
    taken = bytes;
  };
  const release = () => releases.forEach((releaseOne) => releaseOne());
  return { grow, release };
}

async function receiveBytes(
  request: Request,
  response: Response,
  grow: (bytes: number) => void,
): Promise<Buffer> {
  const bytes = await receiveBody(request, response, maxBodyBytes, grow);
  response.locals["bodyBytes"] = bytes.byteLength;
  return bytes;
}

/**
 * Parses a JSON body after all checks of its structure.
 *
 * @param firstLine line of the body at which these bytes begin, for errors.
 * @throws AppError `invalid_request`.
 */
export function readJson(sent: Buffer, limits: JsonLimits = jsonLimits, firstLine = 1): unknown {
  // A byte order mark may be ignored (RFC 8259, section 8.1).
  const hasMark = sent.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const bytes = hasMark ? sent.subarray(byteOrderMark.length) : sent;
  // Decoding would replace invalid bytes with other characters (RFC 8259, section 8.1).
  if (!isUtf8(bytes)) throw notValid("UTF-8", "Encode", "invalid_text");
  const { members } = admitJson(bytes, limits);
  const body = bytes.byteLength === 0 ? {} : parse(bytes.toString(), firstLine);
  const problem = findProblem(body, members);
  if (problem !== null) throw problem;
  return body;
}

const byteOrderMark = Buffer.from("\u{feff}");

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

/** @throws AppError `unsupported_media_type` unless the body is UTF-8 JSON, perhaps compressed. */
export function requireJson(request: Request): void {
  if (request.is("application/json") !== "application/json") {
    throw new AppError(
      "unsupported_media_type",
      "Send the request as JSON, with the header Content-Type: application/json.",
    );
  }
  const [, charset = "utf-8"] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.get("Content-Type") ?? "") ?? [];
  if (!/^utf-?8$/i.test(charset)) {
    throw new AppError("unsupported_media_type", "Send the body as UTF-8.");
  }
  isCompressed(request);
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
