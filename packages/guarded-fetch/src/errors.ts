import { AppError } from "@atelier/schemas";

/** Reasons of refused and failed requests. Stable: clients read them in `details.reason`. */
export type RefusalReason =
  | "malformed_url"
  | "not_https"
  | "port_not_allowed"
  | "credentials_not_allowed"
  | "unreachable"
  | "redirect_refused"
  | "too_many_redirects"
  | "timeout"
  | "connection_lost"
  | "bad_response"
  | "status_not_ok"
  | "too_large"
  | "encoded_content"
  | "not_an_image"
  | "too_many_pixels"
  | "animated"
  | "high_dynamic_range"
  | "too_much_metadata"
  | "undecodable";

/**
 * A refusal or failure of an outgoing request or its response, independent of
 * the purpose of the request. The message is for operators and contains neither
 * the URL nor an address, because messages are logged.
 */
export class GuardedRequestError extends Error {
  override readonly name = "GuardedRequestError";
  readonly reason: RefusalReason;
  readonly retryable: boolean;

  constructor(reason: RefusalReason, message: string, options: { retryable?: boolean } = {}) {
    super(message);
    this.reason = reason;
    this.retryable = options.retryable ?? false;
  }
}

/**
 * Converts an error to the one that clients receive for a reference image. An
 * unknown name, an internal address, a closed port and an invalid certificate
 * have the same message and reason, so that the response reveals nothing about
 * the network of the service.
 */
export function toReferenceError(error: GuardedRequestError): AppError {
  const { code, message } = referenceErrors[error.reason];
  return new AppError(code, message, {
    details: { reason: error.reason },
    retryable: error.retryable,
    cause: error,
  });
}

/** The last part of a path, which says how the image is named. */
const sourceName = /\.(?:url|upload_id|job_id|character_id|location_id)$/;

/**
 * Returns the error of an image with the field of the request that has it: `mask: the image could not be
 * reached`.
 *
 * @param path of the source in the request, such as `mask.url`.
 */
export function atReference(error: AppError, path: string): AppError {
  const { code, message, details, retryable, cause } = error;
  if (!(cause instanceof GuardedRequestError)) return error.at(path);
  const named = `${path.replace(sourceName, "")}: t${message.slice(1)}`;
  return new AppError(code, named, { details, retryable, cause }).at(path);
}

const referenceErrors: Record<
  RefusalReason,
  { code: "reference_unreachable" | "reference_invalid"; message: string }
> = {
  malformed_url: {
    code: "reference_unreachable",
    message: "The image's URL is not a valid URL. Give a complete HTTPS URL.",
  },
  not_https: {
    code: "reference_unreachable",
    message: "The image's URL must start with https://.",
  },
  port_not_allowed: {
    code: "reference_unreachable",
    message: "The image's URL must not contain a port: only port 443 is allowed.",
  },
  credentials_not_allowed: {
    code: "reference_unreachable",
    message: "The image's URL must not contain a user name or password.",
  },
  unreachable: {
    code: "reference_unreachable",
    message: "The image could not be reached. Use a public HTTPS URL.",
  },
  redirect_refused: {
    code: "reference_unreachable",
    message:
      "The image's URL redirects to a URL that is not allowed. Use the HTTPS URL of the image itself.",
  },
  too_many_redirects: {
    code: "reference_unreachable",
    message: "The image's URL redirects too often. Use the URL of the image itself.",
  },
  timeout: {
    code: "reference_unreachable",
    message: "The image's server timed out. Try again later, or use a faster server.",
  },
  connection_lost: {
    code: "reference_unreachable",
    message: "The image's server closed the connection. Try again later, or use another server.",
  },
  bad_response: {
    code: "reference_unreachable",
    message: "The image's server sent an invalid HTTP response. Use another server.",
  },
  status_not_ok: {
    code: "reference_unreachable",
    message:
      "The image's server did not return 200 OK. Check that the URL is correct and has not expired.",
  },
  too_large: {
    code: "reference_invalid",
    message: "The image's file is too large. Use a smaller one.",
  },
  encoded_content: {
    code: "reference_invalid",
    message: "The image was sent with a content encoding. Serve the file without compression.",
  },
  not_an_image: {
    code: "reference_invalid",
    message: "The image is not a PNG, JPEG, WebP or AVIF image. Use one of these formats.",
  },
  too_many_pixels: {
    code: "reference_invalid",
    message:
      "The image has too many pixels. Scale it down to 40 megapixels (50 as JPEG, 24 as AVIF) and sides of 16,384 pixels at most.",
  },
  animated: {
    code: "reference_invalid",
    message: "The image is an animation. Give a single picture.",
  },
  high_dynamic_range: {
    code: "reference_invalid",
    message: "The image has a high dynamic range. Save it with 8 bits per colour, or as JPEG.",
  },
  too_much_metadata: {
    code: "reference_invalid",
    message:
      "The image has a colour profile of more than 1 MB, or more than 4 MB of texts. Save it without metadata.",
  },
  undecodable: {
    code: "reference_invalid",
    message: "The image is damaged or incomplete. Save it again and retry.",
  },
};
