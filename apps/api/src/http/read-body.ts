import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { AppError } from "@atelier/schemas";
import express, { type NextFunction, type Request, type Response } from "express";
import { findProblem } from "./body-problem.ts";

/** Bodies as they came: what was parsed does not tell of two members with one name. */
const textOf = new WeakMap<IncomingMessage, string>();

const parse = express.json({
  limit: "1mb",
  inflate: false,
  strict: false,
  verify(request, _response, bytes, encoding) {
    // What is no UTF-8 would be replaced by signs that nobody sent (RFC 8259, section 8.1).
    if (encoding !== "utf-8" || !isUtf8(bytes)) throw new Error("not UTF-8");
    textOf.set(request, bytes.toString());
  },
});

/** UTF-8 by its other usual label (WHATWG Encoding, section 4.2), which the parser does not know. */
const utf8Label = /(;\s*charset=)"?utf8"?(?=\s*(?:;|$))/i;

/**
 * Reads a JSON body of at most 1 MB into `request.body`.
 *
 * @throws AppError `unsupported_media_type`, `request_too_large` or `invalid_request`.
 */
export function readBody(request: Request, response: Response, next: NextFunction): void {
  if (request.is("application/json") !== "application/json") {
    throw new AppError(
      "unsupported_media_type",
      "Send the request as JSON, with the header Content-Type: application/json.",
    );
  }
  request.headers["content-type"] = request.get("Content-Type")?.replace(utf8Label, "$1utf-8");
  parse(request, response, (error?: unknown) => {
    if (error !== undefined) return next(explain(error));
    next(findProblem(request.body, textOf.get(request) ?? "") ?? undefined);
  });
}

/** Errors of the body parser, by the `type` that it gives them. */
function explain(cause: unknown): unknown {
  const { type } = cause as { type?: string };
  switch (type ?? "none") {
    case "entity.too.large":
      return new AppError("request_too_large", "The body is larger than 1 MB. Send less.", {
        cause,
      });
    case "entity.parse.failed":
      return notValid("JSON", "Correct", "invalid_json", cause);
    case "entity.verify.failed":
      return notValid("UTF-8", "Encode", "invalid_text", cause);
    case "encoding.unsupported":
    case "charset.unsupported":
      return new AppError("unsupported_media_type", "Send the body as UTF-8, not compressed.", {
        cause,
      });
    case "request.aborted":
    case "request.size.invalid":
      return new AppError("invalid_request", "The body did not arrive whole. Send it again.", {
        cause,
      });
    default:
      return cause;
  }
}

function notValid(what: string, advice: string, code: string, cause: unknown): AppError {
  return new AppError(
    "invalid_request",
    `The body is not valid ${what}. ${advice} it and send it again.`,
    { details: [{ path: "", code, message: `not valid ${what}` }], cause },
  );
}
