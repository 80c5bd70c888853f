import sharp from "sharp";
import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import {
  makeImage,
  makeSvg,
  startProtocolServer,
  type ProtocolCall,
  type ProtocolServer,
  type Reply,
  type Visit,
} from "../testing/protocol-server.ts";
import { readForm, type FormPart } from "../testing/read-form.ts";
import { readJsonBody } from "../testing/read-json-body.ts";
import { findMaskProblem } from "../testing/read-mask.ts";
import { recraftPixels } from "./recraft-pixels.ts";

/**
 * Recraft's API on loopback, based on its documentation: generation of raster and vector images
 * (JSON), image to image and inpainting (multipart). Unlike the original, it rejects unknown fields.
 *
 * Refusal shapes: `moderation`, whose code and wording are assumed.
 */
export function startRecraftServer(options: { readonly apiKey: string }): Promise<ProtocolServer> {
  return startProtocolServer((visit) => respond(visit, options.apiKey));
}

const rgb = z.strictObject({ rgb: z.array(z.int().min(0).max(255)).length(3) });
const common = {
  prompt: z.string().min(1),
  response_format: z.literal("b64_json"),
  negative_prompt: z.string().optional(),
};
const v3 = z.literal("recraftv3");
const v4 = z.enum(["recraftv4_1", "recraftv4_1_pro", "recraftv4_1_utility", "recraftv4"]);
const generation = {
  ...common,
  n: z.int().min(1).max(6),
  size: z.string().regex(/^\d+(x|:)\d+$/),
  controls: z
    .strictObject({
      colors: z.array(rgb).max(20).optional(),
      background_color: rgb.optional(),
    })
    .optional(),
};
const rasterSchema = z.strictObject({ ...generation, model: z.union([v3, v4]) });
const vectorSchema = z.strictObject({
  ...generation,
  model: z.enum(["recraftv4_1_vector", "recraftv4_1_pro_vector", "recraftv3_vector"]),
});
const count = z.string().regex(/^[1-6]$/);
const inpaintSchema = z.strictObject({ ...common, n: count, model: v3 });
const imageToImageSchema = z.strictObject({
  ...common,
  n: count,
  model: z.union([v3, v4]),
  strength: z
    .string()
    .regex(/^[01](\.\d+)?$/)
    .refine((text) => Number(text) <= 1),
});

const tracingSchema = z.strictObject({
  image_url: z.string().regex(/^data:image\/(png|jpeg|webp);base64,/),
  response_format: z.literal("b64_json"),
});

interface Order {
  readonly size: { readonly width: number; readonly height: number };
  readonly isVector: boolean;
  /** Whether the response has one `image` instead of a list. */
  readonly isTool?: boolean;
}

async function respond(visit: Visit, apiKey: string): Promise<Reply> {
  const { call, fault, url } = visit;
  if (call.headers.authorization !== `Bearer ${apiKey}`) {
    return failure(401, "unauthorized", `The token ${call.headers.authorization} is not valid.`);
  }
  const order = await readOrder(call, url.pathname);
  if (order === null) return failure(404, "not_found", "Not found");
  if (typeof order === "string") return failure(400, "invalid_request", order);
  const problem = fault === null ? null : failureOf(fault, apiKey);
  if (problem !== null) return problem;
  visit.pay();
  const image = order.isVector ? makeSvg(fault) : await makeImage(order.size, "png", fault);
  const file = { image_id: crypto.randomUUID(), b64_json: image.toString("base64") };
  const files = order.isTool === true ? { image: file } : { data: [file] };
  return { status: 200, json: { created: 1_790_000_000, credits: 40, ...files } };
}

/** The parsed request, an error message, or null for an unknown path. */
async function readOrder(call: ProtocolCall, path: string): Promise<Order | string | null> {
  if (call.method !== "POST") return null;
  switch (path) {
    case "/v1/images/generations/raster":
      return readGeneration(readJsonBody(call), rasterSchema, false);
    case "/v1/images/generations/vector":
      return readGeneration(readJsonBody(call), vectorSchema, true);
    case "/v1/images/inpaint":
      return readEdit(await readForm(call), inpaintSchema, true);
    case "/v1/images/imageToImage":
      return readEdit(await readForm(call), imageToImageSchema, false);
    case "/v1/images/vectorize":
      return readTracing(readJsonBody(call));
    default:
      return null;
  }
}

async function readTracing(body: unknown): Promise<Order | string> {
  const parsed = tracingSchema.safeParse(body);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const [, base64 = ""] = parsed.data.image_url.split(",");
  const { width, height } = await sharp(Buffer.from(base64, "base64")).metadata();
  if (Math.min(width, height) < 256 || Math.max(width, height) > 4096) return "image: wrong size";
  return { size: { width, height }, isVector: true, isTool: true };
}

function readGeneration(
  body: unknown,
  schema: typeof rasterSchema | typeof vectorSchema,
  isVector: boolean,
): Order | string {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { model, negative_prompt: negative, prompt, size } = parsed.data;
  if (prompt.length > (model.startsWith("recraftv3") ? 1_000 : 10_000)) return "prompt: too long";
  if (negative !== undefined && !model.startsWith("recraftv3")) return "negative_prompt: V3 only";
  const pixels = recraftPixels(model, size, model.includes("_pro") ? "2K" : "1K");
  return pixels === null ? `size: ${size} is not supported` : { size: pixels, isVector };
}

async function readEdit(
  parts: readonly FormPart[] | null,
  schema: typeof inpaintSchema | typeof imageToImageSchema,
  hasMask: boolean,
): Promise<Order | string> {
  if (parts === null) return "Content-Type must be multipart/form-data";
  const files = parts.filter(({ fileName }) => fileName !== null);
  const texts = parts.filter(({ fileName }) => fileName === null);
  const parsed = schema.safeParse(
    Object.fromEntries(texts.map(({ bytes, name }) => [name, bytes.toString()])),
  );
  if (!parsed.success) return z.prettifyError(parsed.error);
  const image = files.find(({ name }) => name === "image");
  const mask = files.find(({ name }) => name === "mask");
  if (image === undefined || files.length !== (hasMask ? 2 : 1)) return "image: required";
  if (image.bytes.byteLength > 10 * 1024 * 1024) return "image: too large";
  if (hasMask) {
    if (mask === undefined) return "mask: required";
    const problem = await findMaskProblem(image.bytes, mask.bytes, "white");
    if (problem !== null) return problem;
  }
  const { width, height } = await sharp(image.bytes).metadata();
  if (Math.min(width, height) < 256 || Math.max(width, height) > 4096) return "image: wrong size";
  return { size: { width, height }, isVector: false };
}

function failureOf(fault: Fault, apiKey: string): Reply | null {
  if (fault.kind === "refusal") {
    return failure(400, "moderation", "The prompt was rejected by content moderation.");
  }
  if (fault.kind === "invalid-request") {
    return failure(400, "invalid_request", `Rejected for the account of ${apiKey}.`);
  }
  if (fault.kind === "out-of-quota") {
    return failure(400, "not_enough_credits", "Top up your balance.");
  }
  if (fault.kind === "rate-limit") {
    const reply = failure(429, "rate_limit_exceeded", "Too many requests.");
    const { retryAfter } = fault;
    return retryAfter === null ? reply : { ...reply, headers: { "retry-after": retryAfter } };
  }
  if (fault.kind === "server-error") {
    return failure(fault.status, "internal_error", `An error with ${apiKey}.`);
  }
  return null;
}

function failure(status: number, code: string, message: string): Reply {
  return { status, json: { code, message } };
}
