import { AppError } from "@atelier/schemas";

/** Why a request was refused or failed. Stable: clients read these in `details.reason`. */
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
  | "undecodable";

/**
 * A refusal or failure of an outgoing request or of what it brought, in terms
 * that do not depend on what the request was for. The message is for operators
 * and holds neither the URL nor an address, because messages reach logs.
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
 * The error that a client sees about a reference image. A name that does not
 * exist, a name of an internal address, a closed port and a bad certificate all
 * give the same words and the same reason, so that the answer tells nothing
 * about the network that the service runs in.
 */
export function toReferenceError(error: GuardedRequestError): AppError {
  const { code, message } = referenceErrors[error.reason];
  return new AppError(code, message, {
    details: { reason: error.reason },
    retryable: error.retryable,
    cause: error,
  });
}

const referenceErrors: Record<
  RefusalReason,
  { code: "reference_unreachable" | "reference_invalid"; message: string }
> = {
  malformed_url: {
    code: "reference_unreachable",
    message: "The reference image's URL is not a valid URL. Give a complete HTTPS URL.",
  },
  not_https: {
    code: "reference_unreachable",
    message: "The reference image's URL must begin with https://.",
  },
  port_not_allowed: {
    code: "reference_unreachable",
    message: "The reference image's URL must not name a port: only port 443 is allowed.",
  },
  credentials_not_allowed: {
    code: "reference_unreachable",
    message: "The reference image's URL must not hold a user name or a password.",
  },
  unreachable: {
    code: "reference_unreachable",
    message:
      "The reference image could not be reached. Give an HTTPS URL that anyone on the internet can open.",
  },
  redirect_refused: {
    code: "reference_unreachable",
    message:
      "The reference image's URL redirects to one that is not allowed. Give the HTTPS URL of the image itself.",
  },
  too_many_redirects: {
    code: "reference_unreachable",
    message: "The reference image's URL redirects too often. Give the URL of the image itself.",
  },
  timeout: {
    code: "reference_unreachable",
    message:
      "The reference image's server took too long. Try again later, or put the image on a faster server.",
  },
  connection_lost: {
    code: "reference_unreachable",
    message:
      "The reference image's server broke off the connection. Try again later, or use another server.",
  },
  bad_response: {
    code: "reference_unreachable",
    message: "The reference image's server does not speak HTTP properly. Use another server.",
  },
  status_not_ok: {
    code: "reference_unreachable",
    message:
      "The reference image's server did not answer with 200 OK. Check that the URL is right and has not expired.",
  },
  too_large: {
    code: "reference_invalid",
    message: "The reference image's file is too large. Give a smaller one.",
  },
  encoded_content: {
    code: "reference_invalid",
    message:
      "The reference image was sent with a content encoding. Serve the file as it is, without compression.",
  },
  not_an_image: {
    code: "reference_invalid",
    message: "The reference is not a PNG, JPEG or WebP image. Give one in one of these formats.",
  },
  too_many_pixels: {
    code: "reference_invalid",
    message: "The reference image has too many pixels. Scale it down.",
  },
  undecodable: {
    code: "reference_invalid",
    message: "The reference image is damaged or incomplete. Save it anew and try again.",
  },
};
