import { toOpenAIError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";

/** The first names of paths of OpenAI's API that this service has for its clients only, or not at all. */
const names: ReadonlySet<string> = new Set([
  "assistants",
  "audio",
  "chat",
  "completions",
  "containers",
  "conversations",
  "embeddings",
  "engines",
  "evals",
  "fine_tuning",
  "moderations",
  "organization",
  "realtime",
  "responses",
  "threads",
  "vector_stores",
  "videos",
]);

const imageNames: ReadonlySet<string> = new Set(["edits", "generations", "variations"]);

/** Sends errors of OpenAI's paths in OpenAI's format, so that its clients say what is wrong. */
export function presentOpenAIErrors(
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (isOpenAIPath(request.path)) response.locals["presentError"] = toOpenAIError;
  next();
}

/**
 * Whether clients of OpenAI's API send requests to a path: one of its paths under `/v1`, or one that ends
 * with its names because the base URL is wrong. `GET /v1/models` has the format of this service.
 */
export function isOpenAIPath(path: string): boolean {
  const segments = path
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");
  const [first, second = "", third] = segments;
  if (first === "v1") {
    if (second === "images" || names.has(second)) return true;
    if (second === "models") return third !== undefined;
  }
  const [parent = "", last = ""] = ["", ...segments].slice(-2);
  if (parent === "images") return imageNames.has(last);
  return [parent, last].some((name) => names.has(name) || name === "models");
}
