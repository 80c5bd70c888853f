import type { EditRequest, GenerateCalls } from "./generate-calls.ts";
import type { GenerateOptions } from "./options.ts";
import type { ImageResult } from "./types.ts";

/** An image of a request: the bytes of a PNG, JPEG, WebP or AVIF, or where the service has it. */
export type EditImage = Uint8Array | EditRequest["image"];

/** Body of `POST /v1/generate/edit`, whose images may be bytes. */
export interface EditCall extends Omit<EditRequest, "image" | "mask" | "markup"> {
  readonly image: EditImage;
  readonly mask?: EditImage;
  readonly markup?: EditImage;
}

/** Creates a function that edits images that the caller has, in one request of at most 40 MB. */
export function createEdit({ generateEdit }: Pick<GenerateCalls, "generateEdit">) {
  return (
    { image, mask, markup, ...request }: EditCall,
    options?: GenerateOptions,
  ): Promise<ImageResult> =>
    generateEdit(
      {
        ...request,
        image: toSource(image),
        ...(mask !== undefined && { mask: toSource(mask) }),
        ...(markup !== undefined && { markup: toSource(markup) }),
      },
      options,
    );
}

function toSource(image: EditImage): EditRequest["image"] {
  return image instanceof Uint8Array ? { base64: toBase64(image) } : image;
}

/** Characters that one call can take as arguments. */
const sliceBytes = 32_768;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    text += String.fromCharCode(...bytes.subarray(at, at + sliceBytes));
  }
  return btoa(text);
}
