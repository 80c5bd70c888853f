import type { Caller } from "@atelier/accounts";
import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import type { ApiConfig } from "../config.ts";

type OriginConfig = Pick<ApiConfig, "CORS_ORIGINS" | "PUBLIC_URL">;

const allowedMethods = "GET, HEAD, POST, PATCH, DELETE";

/** Headers of responses that pages may read besides those that browsers always show them. */
const exposedHeaders = [
  "Atelier-Adjusted",
  "Atelier-Ignored",
  "Idempotent-Replayed",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
  "X-Service-Job-Id",
  "X-Should-Retry",
].join(", ");

/** Browsers repeat the preflight after this time, in seconds. */
const maxAge = "7200";

/**
 * Whether a page of another origin sent a request, when the operator lets such pages use the API. Browsers send
 * `Origin` with every request across origins.
 */
export function isFromOtherOrigin(request: Request, config: OriginConfig): boolean {
  const origin = request.get("Origin");
  if (origin === undefined || config.CORS_ORIGINS.length === 0) return false;
  const isOwn = origin === new URL(config.PUBLIC_URL).origin;
  return !isOwn && URL.parse(origin)?.host !== request.get("Host");
}

/**
 * Lets pages of the listed origins use the API with a key in a header (Fetch standard, CORS protocol), and answers
 * their preflights before authentication. Cookies are never allowed. Without listed origins, it does nothing.
 *
 * @throws AppError `key_not_permitted` for a page of an origin that is not listed.
 */
export function allowOrigins(config: OriginConfig) {
  const { CORS_ORIGINS: listed } = config;
  return (request: Request, response: Response, next: NextFunction): void => {
    if (listed.length > 0) response.vary("Origin");
    if (!isFromOtherOrigin(request, config)) return next();
    const origin = request.get("Origin") ?? "";
    if (!listed.includes("*") && !listed.includes(origin)) throw notListed(origin);
    response.set({
      "Access-Control-Allow-Origin": listed.includes("*") ? "*" : origin,
      "Access-Control-Expose-Headers": exposedHeaders,
    });
    const isPreflight = request.get("Access-Control-Request-Method") !== undefined;
    if (request.method !== "OPTIONS" || !isPreflight) return next();
    response
      .vary("Access-Control-Request-Headers")
      .set({
        "Access-Control-Allow-Methods": allowedMethods,
        "Access-Control-Allow-Headers": permittedHeaders(request),
        "Access-Control-Max-Age": maxAge,
      })
      .status(204)
      .end();
  };
}

/** The requested headers, without the one that pages of Studio send with their session. */
function permittedHeaders(request: Request): string {
  const requested = (request.get("Access-Control-Request-Headers") ?? "").split(",");
  return requested
    .map((name) => name.trim())
    .filter((name) => name.toLowerCase() !== "x-atelier-studio")
    .join(", ");
}

/**
 * Refuses the key of a page when pages of all origins may use the API. Everybody who opens the page can read the key,
 * so it needs a budget and must not create other keys.
 *
 * @throws AppError `key_not_permitted`.
 */
export function assertPageKey(
  { hasBudget, scopes }: Pick<Caller, "hasBudget" | "scopes">,
  request: Request,
  config: OriginConfig,
): void {
  if (!config.CORS_ORIGINS.includes("*") || !isFromOtherOrigin(request, config)) return;
  if (hasBudget && !scopes.includes("manage")) return;
  throw new AppError(
    "key_not_permitted",
    "A key in a web page needs a budget and must not have the scope manage. Create such a key for the page.",
    { details: { scopes: [...scopes] } },
  );
}

function notListed(origin: string): AppError {
  return new AppError(
    "key_not_permitted",
    `Pages of ${origin.slice(0, 200)} may not use this service. The operator lists origins in CORS_ORIGINS.`,
    { details: { origin: origin.slice(0, 200) } },
  );
}
