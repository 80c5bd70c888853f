import type { PixelSize } from "./pixel-size.ts";

/**
 * An operation of a render other than making an image of its prompt.
 *
 * @typeParam EditedImages fields of an edit and of a tool that hold the images: none in a stored render,
 *   whose images are references; their bytes in a request to a provider.
 */
export type Task<EditedImages extends object = object> =
  | EditTask<EditedImages>
  | ToolTask<EditedImages>
  | CombineTask
  | GraphicTask
  | DiagramTask;

/** Change an image as the prompt says, inside its mask if there is one. */
export type EditTask<EditedImages extends object = object> = {
  readonly kind: "edit";
  /** From 0 (keep the image) to 1 (replace it); null selects the model's default. */
  readonly strength: number | null;
  /**
   * The size of the image was unknown on acceptance, so that a worker checks whether the image size
   * fits. Default: false.
   */
  readonly isSizeUnknown?: boolean;
} & EditedImages;

/** Change an image without a prompt, or with one that only helps. */
export type ToolTask<EditedImages extends object = object> =
  | UpscaleTask<EditedImages>
  | RemoveBackgroundTask<EditedImages>
  | OutpaintTask<EditedImages>
  | EraseTask<EditedImages>
  | VectorizeTask<EditedImages>
  | VariationsTask<EditedImages>;

/** Scale an image up. */
export type UpscaleTask<EditedImages extends object = object> = {
  readonly kind: "upscale";
  /** The factor of both edges, or the size, to whose shape the image is cropped. */
  readonly scale: number | PixelSize;
} & EditedImages;

/** Make the background of an image transparent. */
export type RemoveBackgroundTask<EditedImages extends object = object> = {
  readonly kind: "remove-background";
} & EditedImages;

/** Add an area around an image; the prompt says what it shows, and an empty one asks for a continuation. */
export type OutpaintTask<EditedImages extends object = object> = {
  readonly kind: "outpaint";
  readonly margins: Margins;
} & EditedImages;

/** Pixels at each side of an image. */
export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Fill the masked area of an image from its surroundings. */
export type EraseTask<EditedImages extends object = object> = {
  readonly kind: "erase";
} & EditedImages;

/** Trace an image as SVG. */
export type VectorizeTask<EditedImages extends object = object> = {
  readonly kind: "vectorize";
  /** Maximum number of colours; null selects the model's default. */
  readonly colors: number | null;
} & EditedImages;

/** Make an image that differs from another in details. */
export type VariationsTask<EditedImages extends object = object> = {
  readonly kind: "variations";
  /** From 0 to 1; null selects the model's default. */
  readonly strength: number | null;
} & EditedImages;

/** Make one image of the references with the role `part`. */
export interface CombineTask {
  readonly kind: "combine";
}

/** Draw an icon, a logo or a flat illustration. */
export interface GraphicTask {
  readonly kind: "graphic";
  readonly graphic: "icon" | "logo" | "illustration";
  /** Up to 8 colours such as `#1f6feb`; empty lets the model choose. */
  readonly palette: readonly string[];
  /** `transparent`, or a colour such as `#ffffff`. */
  readonly background: string;
}

/** Lay out a diagram; the prompt is its description in words. */
export interface DiagramTask {
  readonly kind: "diagram";
  /** The diagram in `language`; null for the prompt. */
  readonly source: string | null;
  readonly language: "text" | "dot" | "mermaid";
  readonly direction: "right" | "down" | null;
  readonly palette: readonly string[];
}
