import * as z from "zod";

/** The operations that a client can request from a model. */
export const operations = [
  "image",
  "story",
  "scene",
  "edit",
  "combine",
  "graphic",
  "diagram",
] as const;

export type Operation = (typeof operations)[number];

export const operation = z.enum(operations);

/**
 * A feature that a request can use and a model may lack: an operation, or an option of one. The names are
 * those of `details.capability` in errors.
 */
export type Capability =
  | Operation
  | "mask"
  | "seed"
  | "negative_prompt"
  | "transparency"
  | "svg"
  | "n";

/** The largest number of images of one request. */
export const maxImages = 10;
