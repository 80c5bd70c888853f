import type { RequestImages } from "../generations/plan/operations.ts";

/**
 * Writes the images of an edit in JSON as OpenAI's API has them: clients also send `image`, one or a list,
 * and texts in place of objects. Images that arrived in the body are named by their uploads.
 *
 * @param body parsed JSON, not validated.
 */
export function listImages(body: unknown, received: Pick<RequestImages, "has">): unknown {
  if (!isObject(body)) return body;
  const { image, ...others } = body;
  const isImages = image !== undefined && others["images"] == null;
  // Beside `images`, it has no effect and is named.
  const rest = isImages ? others : body;
  const images = isImages ? [image].flat() : rest["images"];
  return {
    ...rest,
    ...(images !== undefined && {
      images: Array.isArray(images) ? images.map((one) => readImage(one, received)) : images,
    }),
    ...(rest["mask"] !== undefined && { mask: readImage(rest["mask"], received) }),
  };
}

function readImage(image: unknown, received: Pick<RequestImages, "has">): unknown {
  const source = typeof image === "string" ? { image_url: image } : image;
  if (!isObject(source)) return source;
  const { image_url: link, ...rest } = source;
  const url = isObject(link) ? link["url"] : link;
  if (received.has(url)) return { ...rest, file_id: url };
  return url === undefined ? rest : { ...rest, image_url: url };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
