/** A running service, and a picture to send to it. */
export interface Service {
  readonly url: string;
  readonly key: string;
  readonly picture: Blob;
}

/** Values that a generated client received. */
export interface Received {
  readonly uploadId: string;
  /** The URL of the edited image. */
  readonly imageUrl: string;
  readonly width: number;
  readonly verdict: string;
}
