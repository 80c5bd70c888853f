import sharp from "sharp";
import type { ProtocolCall } from "../protocol-server.ts";
import { readForm } from "../read-form.ts";
import { readJsonBody } from "../read-json-body.ts";
import type { MaskForm } from "./provider-contract.ts";

const fields = ["mask", "mask_image", "mask_url", "stencil"];

/**
 * Finds the mask that a provider received in any of its requests, and whether the white or the
 * transparent pixels of its right half mark what to change; `none` without a mask.
 */
export async function findSentMask(calls: readonly ProtocolCall[]): Promise<MaskForm> {
  const masks: Buffer[] = [];
  for (const call of calls) {
    const parts = (await readForm(call)) ?? [];
    masks.push(...parts.filter(({ name }) => fields.includes(name)).map(({ bytes }) => bytes));
    masks.push(...findInJson(readJsonBody(call)));
  }
  // ComfyUI receives files before the workflow that uses them: the mask is the last one.
  if (calls.some(({ path }) => path === "/prompt")) {
    const upload = calls.findLast(({ path }) => path === "/upload/image");
    const parts = upload === undefined ? [] : ((await readForm(upload)) ?? []);
    masks.push(...parts.filter(({ fileName }) => fileName !== null).map(({ bytes }) => bytes));
  }
  const mask = masks.at(-1);
  if (mask === undefined) return "none";
  const { channels } = await sharp(mask).metadata();
  const { data, info } = await sharp(mask).raw().toBuffer({ resolveWithObject: true });
  const at = (part: number) => {
    const pixel = Math.floor(info.height / 2) * info.width + Math.floor(info.width * part);
    const end = (pixel + 1) * info.channels - 1;
    return data[end];
  };
  // The last channel is grey or alpha.
  const [left, right] = [at(0.2), at(0.8)];
  if (channels === 1 && left === 0 && right === 255) return "white";
  if (channels === 4 && left === 255 && right === 0) return "transparent";
  throw new Error(`a mask of ${channels} channels with ${left} on the left, ${right} right`);
}

function findInJson(value: unknown): Buffer[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!fields.includes(name) || typeof inner !== "string") return findInJson(inner);
    return [Buffer.from(inner.replace(/^data:[^,]*,/, ""), "base64")];
  });
}
