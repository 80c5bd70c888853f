import sharp from "sharp";

/** Validates the mask of an edit as a server does. Returns the problem, or null. */
export async function findMaskProblem(
  image: Uint8Array,
  mask: Uint8Array,
  form: "white" | "transparent",
): Promise<string | null> {
  const [first, second] = await Promise.all([sharp(image).metadata(), sharp(mask).metadata()]);
  if (second.format !== "png") return "the mask must be a PNG";
  if (first.width !== second.width || first.height !== second.height) {
    return "the mask must have the size of the image";
  }
  if (form === "transparent" && !second.hasAlpha) return "the mask must have an alpha channel";
  if (form === "white" && (second.hasAlpha || second.channels !== 1)) {
    return "the mask must be grey without alpha";
  }
  return null;
}

/** Like `findMaskProblem`, for images in base64 or `data:` URLs. */
export function findMaskProblemInBase64(image: string, mask: string): Promise<string | null> {
  const decode = (text: string) => Buffer.from(text.replace(/^data:[^,]*,/, ""), "base64");
  return findMaskProblem(decode(image), decode(mask), "white");
}
