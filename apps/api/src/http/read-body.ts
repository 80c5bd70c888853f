import { AppError } from "@atelier/schemas";
import express, { type NextFunction, type Request, type Response } from "express";

const parse = express.json({ limit: "1mb", inflate: false, strict: false });

/** More than any request has. Each is looked at and may be a mistake that the answer tells of. */
const maxValues = 10_000;

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
  parse(request, response, (error?: unknown) => {
    if (error !== undefined) return next(explain(error));
    next(findProblem(request.body) ?? undefined);
  });
}

/**
 * What no request may have, whatever it asks for: more values than any needs, or text that is valid
 * JSON and that the database does not take, with a NUL character or one half of a surrogate pair.
 * Without recursion: nesting may be as deep as the body is long.
 */
function findProblem(body: unknown): AppError | null {
  const open: [path: string, value: unknown][] = [["", body]];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next;
    values += 1;
    if (values > maxValues) return tooManyValues();
    if (typeof value === "string" && !isStorable(value)) return unstorable(path);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) return unstorable(path);
      open.push([path === "" ? key : `${path}.${key}`, inner]);
    }
  }
  return null;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function unstorable(path: string): AppError {
  const message = "must not have NUL characters or unpaired surrogates";
  const where = path === "" ? "The body" : path;
  return new AppError("invalid_request", `${where} ${message}. Correct it and send it again.`, {
    details: [{ path, code: "invalid_text", message }],
  });
}

function tooManyValues(): AppError {
  const message = `has more than ${maxValues} values`;
  return new AppError("invalid_request", `The body ${message}. Send less.`, {
    details: [{ path: "", code: "too_big", message }],
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
      return new AppError(
        "invalid_request",
        "The body is not valid JSON. Correct it and send it again.",
        {
          details: [{ path: "", code: "invalid_json", message: "not valid JSON" }],
          cause,
        },
      );
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
