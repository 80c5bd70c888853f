import { withoutEngineCommands, type PixelSize } from "@atelier/schemas";
import type { ImageFile, ProviderCall, ProviderRequest } from "../../provider.ts";
import { inputImages, promptWithEditArea, promptWithReferences } from "../describe-references.ts";
import { toBlackMask, toTransparencyMask } from "../edit/mask-forms.ts";
import { toBase64, toDataUrl } from "../encode-reference.ts";
import { fitDimensions } from "../fit-dimensions.ts";
import { promptOfGraphic, toRgb } from "../graphic.ts";
import { invalidRequest } from "../http/call-ended.ts";
import {
  usedBy,
  type DescribedImages,
  type DescribedRequest,
  type Description,
} from "./description.ts";
import {
  fillTemplate,
  type TemplateFile,
  type TemplateValue,
  type TemplateValues,
} from "./template.ts";
import { sizesOf } from "./traits.ts";

/** Uploads a file and returns its URL. */
export type UploadFile = (file: TemplateFile) => Promise<string>;

/** The value of each placeholder of a call; only what its request uses is made. */
export async function valuesOf(
  described: Description,
  request: DescribedRequest,
  call: ProviderRequest,
  {
    key,
    size,
    upload,
  }: {
    readonly key: ProviderCall["key"];
    readonly size: PixelSize;
    readonly upload: UploadFile;
  },
): Promise<TemplateValues> {
  const used = usedBy(request);
  const { aspectRatio, imageSize, model, parameters = {}, task } = call;
  const { aspect_ratios: ratios } = described;
  const colon = model.lastIndexOf(":");
  const named = ratios === undefined ? aspectRatio : ratios[aspectRatio];
  if (used.has("aspect_ratio") && named === undefined) {
    throw invalidRequest(`no aspect ratio ${aspectRatio}`);
  }
  const graphic = task?.kind === "graphic" ? task : null;
  const { extra, loras, ...plain } = parameters;
  return {
    ...plain,
    model,
    model_name: colon < 0 ? model : model.slice(0, colon),
    model_version: colon < 0 ? undefined : model.slice(colon + 1),
    prompt: await promptOf(described, request, call, used),
    negative_prompt: clean(described, call.negativePrompt ?? undefined),
    aspect_ratio: named,
    image_size: sizesOf(described, request).of[imageSize]?.value ?? imageSize,
    width: size.width,
    height: size.height,
    seed: seedOf(described, call),
    background: call.background === "transparent" ? "transparent" : undefined,
    palette:
      graphic === null || graphic.palette.length === 0
        ? undefined
        : graphic.palette.map((color) => colorOf(described, color)),
    background_color:
      graphic === null || graphic.background === "transparent"
        ? undefined
        : colorOf(described, graphic.background),
    loras: loras?.map(({ name, weight }) => fillTemplate(described.lora?.item, { name, weight })),
    extra: extra as TemplateValue,
    key,
    ...(await imagesOf(described, request, call, used, upload)),
  };
}

/** The seed of a call within the range of a description. */
export function seedOf(
  { seed: { max, min } }: Pick<Description, "seed">,
  { seed }: Pick<ProviderRequest, "seed">,
): number {
  return seed >= min && seed <= max ? seed : min + (seed % (max - min + 1));
}

async function promptOf(
  described: Description,
  { palette_in_prompt: hasPalette }: DescribedRequest,
  call: ProviderRequest,
  used: ReadonlySet<string>,
): Promise<string> {
  const { task } = call;
  const graphic = task?.kind === "graphic" ? task : null;
  const prompt =
    graphic !== null
      ? promptOfGraphic(call, graphic)
      : used.has("mask")
        ? promptWithReferences(call)
        : await promptWithEditArea(call);
  const colours = graphic !== null && hasPalette ? [...graphic.palette] : [];
  const palette = colours.length === 0 ? "" : ` Use only the colours ${colours.join(", ")}.`;
  const text = clean(described, `${prompt}${palette}`) ?? "";
  const max = described.prompt.max_characters;
  if (max !== undefined && text.length > max) {
    throw invalidRequest(`the prompt has more than ${max} characters`);
  }
  return text;
}

function clean({ prompt }: Description, text: string | undefined): string | undefined {
  return text === undefined || !prompt.neutralise_commands ? text : withoutEngineCommands(text);
}

function colorOf({ palette }: Description, color: string): TemplateValue {
  const [red, green, blue] = toRgb(color);
  return fillTemplate(palette?.item ?? "{color}", { color, red, green, blue });
}

async function imagesOf(
  described: Description,
  request: DescribedRequest,
  call: ProviderRequest,
  used: ReadonlySet<string>,
  upload: UploadFile,
): Promise<TemplateValues> {
  const values: Record<string, TemplateValue> = {};
  const sent = request.images ?? described.images;
  const files = inputImages(call);
  if (sent !== undefined && files.length > 0) {
    assertImages(files, sent);
    const limits = { minEdge: sent.min_edge, maxPixels: sent.max_pixels };
    const encoded = await inOrder(files, async (file, index) =>
      encode(await fitDimensions(file, limits), sent.as, `image-${index + 1}`, upload),
    );
    const items = encoded.map((image) => fillTemplate(sent.item, { image }));
    const isEdit = call.task?.kind === "edit";
    const references = isEdit ? items.slice(1) : items;
    values["images"] = items;
    values["image"] = encoded[0];
    values["references"] = references.length === 0 ? undefined : references;
  }
  const mask = call.task?.kind === "edit" ? call.task.mask : null;
  if (mask !== null && used.has("mask") && described.mask !== undefined) {
    const { as, changes, max_bytes: max } = described.mask;
    const bytes = await convertMask(mask, changes);
    if (max !== undefined && bytes.byteLength > max) {
      throw invalidRequest(`the mask has more than ${max} bytes`);
    }
    values["mask"] = await encode({ bytes, mediaType: "image/png" }, as, "mask", upload);
  }
  return values;
}

function assertImages(files: readonly ImageFile[], { max, max_bytes: maxBytes }: DescribedImages) {
  if (files.length > max) throw invalidRequest(`no more than ${max} images`);
  if (maxBytes !== undefined && files.some(({ bytes }) => bytes.byteLength > maxBytes)) {
    throw invalidRequest(`an image has more than ${maxBytes} bytes`);
  }
}

function convertMask(
  mask: Uint8Array,
  changes: "white" | "black" | "transparent",
): Promise<Uint8Array> {
  if (changes === "transparent") return toTransparencyMask(mask);
  return changes === "black" ? toBlackMask(mask) : Promise.resolve(mask);
}

async function encode(
  file: ImageFile,
  as: DescribedImages["as"],
  name: string,
  upload: UploadFile,
): Promise<string | TemplateFile> {
  const part = { ...file, name: `${name}.${file.mediaType.slice("image/".length)}` };
  switch (as) {
    case "base64":
      return toBase64(file);
    case "data_url":
      return toDataUrl(file);
    case "file":
      return part;
    case "upload":
      return upload(part);
  }
}

/** One at a time, so that memory and open connections stay bounded. */
async function inOrder<T, R>(
  items: readonly T[],
  convert: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const converted: R[] = [];
  for (const [index, item] of items.entries()) converted.push(await convert(item, index));
  return converted;
}
