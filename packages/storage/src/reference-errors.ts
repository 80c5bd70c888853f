import { AppError } from "@atelier/schemas";

/** For a signed URL of ours that is past its expiry. */
export function expiredReference(): AppError {
  return new AppError(
    "reference_unreachable",
    "The URL of a reference image has expired. Read its job again for a fresh one.",
  );
}

/** For a URL of ours whose signature does not fit. */
export function changedReference(): AppError {
  return new AppError(
    "reference_unreachable",
    "The URL of a reference image was changed. Send it exactly as this service has returned it.",
  );
}
