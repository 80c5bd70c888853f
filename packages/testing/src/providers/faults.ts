/** The exchange of a call that a fault of the transport happens to: the order, or a question about it. */
export type Place = "order" | "question";

/** One way in which a provider may answer other than with the image. */
export type Fault =
  /** The vendor's policy says no, in one of the shapes that its server names. */
  | { readonly kind: "refusal"; readonly shape: string }
  /** 429; `retryAfter` as the vendor sends it, null for none. */
  | { readonly kind: "rate-limit"; readonly retryAfter: string | null }
  | { readonly kind: "out-of-quota" }
  /** A request that the vendor does not take, for a reason that the server itself does not check. */
  | { readonly kind: "invalid-request" }
  | { readonly kind: "server-error"; readonly status: number; readonly at: Place }
  /** Makes the image, and never answers. */
  | { readonly kind: "hang"; readonly at: Place }
  /** Makes the image, and stops in the middle of the answer with the connection open. */
  | { readonly kind: "hang-in-body"; readonly at: Place }
  /** Makes the image, and breaks the connection in the middle of the answer. */
  | { readonly kind: "cut-short"; readonly at: Place }
  /** An answer of the right form whose image is none. */
  | { readonly kind: "not-an-image" }
  /** An answer of the right form whose image is half a file. */
  | { readonly kind: "half-an-image" }
  /** An image of 64 × 64 pixels, whatever was asked for. */
  | { readonly kind: "wrong-size" }
  /** 200 with a page of HTML. */
  | { readonly kind: "not-json" }
  /** An answer that does not end. */
  | { readonly kind: "endless" }
  | { readonly kind: "redirect"; readonly to: string }
  /** The job takes that many questions until it is done. */
  | { readonly kind: "slow-poll"; readonly polls: number }
  /** The job was taken, and is not known when it is asked about. */
  | { readonly kind: "lost-job" }
  /** The job was taken, and failed for a reason of the vendor's. */
  | { readonly kind: "failed-job" };
