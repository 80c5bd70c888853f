import { AppError } from "@atelier/schemas";

const retryOverloadedAfterMs = 10_000;

/** The error for requests beyond the service's capacity; nothing was accepted or held. */
export function overloaded(): AppError {
  return new AppError(
    "overloaded",
    "The service is overloaded. Nothing was accepted or charged; send the request again after Retry-After.",
    { retryAfterMs: retryOverloadedAfterMs },
  );
}
