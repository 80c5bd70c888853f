/** The request of a call that a transport fault affects: the submission or a poll. */
export type Place = "order" | "poll";

/** One way in which a provider may fail to return the image. */
export type Fault =
  /** The vendor's policy refuses the request, in one of the shapes that its server defines. */
  | { readonly kind: "refusal"; readonly shape: string }
  /** 429; `retryAfter` as the vendor sends it, null if it sends none. */
  | { readonly kind: "rate-limit"; readonly retryAfter: string | null }
  | { readonly kind: "out-of-quota" }
  /** A request that the vendor rejects for a reason that the server itself does not check. */
  | { readonly kind: "invalid-request" }
  | { readonly kind: "server-error"; readonly status: number; readonly at: Place }
  /** Generates the image and never responds. */
  | { readonly kind: "hang"; readonly at: Place }
  /** Generates the image and stops in the middle of the response with the connection open. */
  | { readonly kind: "hang-in-body"; readonly at: Place }
  /** Generates the image and closes the connection in the middle of the response. */
  | { readonly kind: "cut-short"; readonly at: Place }
  /** A well-formed response whose image data is not an image. */
  | { readonly kind: "not-an-image" }
  /** A well-formed response whose image is truncated. */
  | { readonly kind: "half-an-image" }
  /** An image of 64 × 64 pixels, regardless of the requested size. */
  | { readonly kind: "wrong-size" }
  /** 200 with an HTML page. */
  | { readonly kind: "not-json" }
  /** A response that never ends. */
  | { readonly kind: "endless" }
  | { readonly kind: "redirect"; readonly to: string }
  /** The job needs that many polls to finish. */
  | { readonly kind: "slow-poll"; readonly polls: number }
  /** The job was accepted and is unknown when polled. */
  | { readonly kind: "lost-job" }
  /** The job was accepted and failed for a vendor-specific reason. */
  | { readonly kind: "failed-job" };
