import type { NextFunction, Request, Response } from "express";

/** Headers of responses that scripts may read besides those that browsers always show them. */
const exposedHeaders = "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

/** Browsers repeat the question after this time, in seconds. */
const maxAge = "86400";

/**
 * Lets scripts of all web pages use routes that need no key (Fetch standard, CORS protocol), and answers
 * the preflight requests of browsers.
 */
export function allowCrossOrigin(methods: "GET" | "POST" | "GET, POST") {
  return (request: Request, response: Response, next: NextFunction): void => {
    response.set({
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": exposedHeaders,
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    if (request.method !== "OPTIONS") return next();
    response
      .set({
        "Access-Control-Allow-Methods": methods,
        "Access-Control-Allow-Headers": "Content-Type",
        "Access-Control-Max-Age": maxAge,
      })
      .status(204)
      .end();
  };
}
