import { AppError } from "@atelier/schemas";

/** The error for a signed URL of this service that has expired. */
export function expiredReference(): AppError {
  return new AppError(
    "reference_unreachable",
    "The URL of a reference image has expired. Read its job again for a new one.",
  );
}

/** The error for a URL of this service with an invalid signature. */
export function changedReference(): AppError {
  return new AppError(
    "reference_unreachable",
    "The URL of a reference image has an invalid signature. Send it exactly as this service returned it.",
  );
}
