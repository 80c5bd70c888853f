import sharp from "sharp";
import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import {
  makeImage,
  startProtocolServer,
  type ProtocolServer,
  type Reply,
  type Visit,
} from "../testing/protocol-server.ts";
import { readForm, type FormPart } from "../testing/read-form.ts";
import { findMaskProblem } from "../testing/read-mask.ts";

/** Pixels of each aspect ratio, about one megapixel. */
const pixels = {
  "1:1": [1024, 1024],
  "16:9": [1344, 768],
  "21:9": [1536, 640],
  "2:3": [832, 1216],
  "3:2": [1216, 832],
  "4:5": [896, 1088],
  "5:4": [1088, 896],
  "9:16": [768, 1344],
  "9:21": [640, 1536],
} as const;

const coreSchema = z.strictObject({
  prompt: z.string().min(1).max(10_000),
  negative_prompt: z.string().max(10_000).optional(),
  aspect_ratio: z.enum(Object.keys(pixels) as (keyof typeof pixels)[]).default("1:1"),
  seed: z
    .string()
    .regex(/^\d+$/)
    .refine((seed) => Number(seed) <= 4_294_967_294)
    .default("0"),
  output_format: z.enum(["png", "jpeg", "webp"]).default("png"),
  style_preset: z.string().optional(),
});

const schemas: Readonly<Record<string, z.ZodType<z.output<typeof coreSchema>>>> = {
  core: coreSchema,
  ultra: coreSchema.omit({ style_preset: true }),
  sd3: coreSchema.extend({
    model: z
      .enum(["sd3.5-large", "sd3.5-large-turbo", "sd3.5-medium", "sd3.5-flash"])
      .default("sd3.5-large"),
    mode: z.literal("text-to-image").optional(),
    output_format: z.enum(["png", "jpeg"]).default("png"),
  }),
};

/** Besides the files `image` and `mask`. */
const inpaintSchema = z.strictObject({
  prompt: z.string().min(1).max(10_000),
  negative_prompt: z.string().max(10_000).optional(),
  grow_mask: z.string().regex(/^\d+$/).optional(),
  seed: coreSchema.shape.seed,
  output_format: z.enum(["png", "jpeg", "webp"]).default("png"),
  style_preset: z.string().optional(),
});

/**
 * Stability's Stable Image API on loopback: `POST /v2beta/stable-image/generate/{ultra|core|sd3}`
 * and `/v2beta/stable-image/edit/inpaint`, multipart, based on published descriptions.
 *
 * Refusal shapes: `prompt` (403), `filtered` (200 with a blurred image).
 */
export function startStabilityServer(options: {
  readonly apiKey: string;
}): Promise<ProtocolServer> {
  return startProtocolServer((visit) => respond(visit, options.apiKey));
}

async function respond(visit: Visit, apiKey: string): Promise<Reply> {
  const { call, fault, url } = visit;
  const endpoint = /^\/v2beta\/stable-image\/generate\/(\w+)$/.exec(url.pathname)?.[1] ?? "";
  const schema = Object.hasOwn(schemas, endpoint) ? schemas[endpoint] : undefined;
  const isEdit = url.pathname === "/v2beta/stable-image/edit/inpaint";
  if (call.method !== "POST" || (schema === undefined && !isEdit)) {
    return failure(404, "not_found", "The requested resource was not found.");
  }
  if (call.headers.authorization !== `Bearer ${apiKey}`) {
    return failure(401, "unauthorized", "authorization: invalid or missing header value");
  }
  if (call.headers.accept !== "application/json" && call.headers.accept !== "image/*") {
    return failure(400, "bad_request", "accept: must be one of: image/*, application/json");
  }
  const parts = await readForm(call);
  if (parts === null) {
    return failure(400, "bad_request", "content-type: must be multipart/form-data");
  }
  const order = await readOrder(parts, schema ?? null);
  if (typeof order === "string") return failure(400, "bad_request", order);
  const problem = fault === null ? null : failureOf(fault, apiKey);
  if (problem !== null) return problem;
  visit.pay();
  const { format, seed, size } = order;
  const image = await makeImage(size, format, fault);
  const filtered = fault?.kind === "refusal";
  if (call.headers.accept === "image/*") {
    const headers = {
      "content-type": `image/${format}`,
      "finish-reason": "SUCCESS",
      seed: String(seed),
    };
    return { status: 200, headers, bytes: image };
  }
  return {
    status: 200,
    headers: { "content-type": `application/json; type=image/${format}` },
    json: {
      image: image.toString("base64"),
      finish_reason: filtered ? "CONTENT_FILTERED" : "SUCCESS",
      seed,
    },
  };
}

interface Order {
  readonly format: "png" | "jpeg" | "webp";
  readonly size: { readonly width: number; readonly height: number };
  readonly seed: number;
}

/**
 * The parsed request, or an error message.
 *
 * @param schema of the fields; null for an edit.
 */
async function readOrder(
  parts: readonly FormPart[],
  schema: (typeof schemas)[string] | null,
): Promise<Order | string> {
  const files = parts.filter(({ fileName }) => fileName !== null);
  const texts = parts.filter(({ fileName }) => fileName === null);
  const fields = Object.fromEntries(texts.map(({ bytes, name }) => [name, bytes.toString()]));
  if (schema !== null) {
    if (files.length > 0) return "unexpected file";
    const parsed = schema.safeParse(fields);
    if (!parsed.success) return parsed.error.issues[0]?.message ?? "invalid";
    const { aspect_ratio: shape, output_format: format, seed } = parsed.data;
    const [width, height] = pixels[shape];
    return { format, size: { width, height }, seed: Number(seed) };
  }
  const parsed = inpaintSchema.safeParse(fields);
  if (!parsed.success) return parsed.error.issues[0]?.message ?? "invalid";
  const image = files.find(({ name }) => name === "image");
  const mask = files.find(({ name }) => name === "mask");
  if (image === undefined || mask === undefined || files.length > 2) return "image, mask: required";
  const problem = await findMaskProblem(image.bytes, mask.bytes, "white");
  if (problem !== null) return problem;
  const { width, height } = await sharp(image.bytes).metadata();
  const { output_format: format, seed } = parsed.data;
  return { format, size: { width, height }, seed: Number(seed) };
}

function failureOf(fault: Fault, apiKey: string): Reply | null {
  if (fault.kind === "refusal" && fault.shape === "prompt") {
    const text = "Your request was flagged by our content moderation system.";
    return failure(403, "content_moderation", text);
  }
  if (fault.kind === "invalid-request") {
    return failure(422, "unprocessable_entity", `Rejected for the account of ${apiKey}.`);
  }
  if (fault.kind === "out-of-quota") {
    return failure(402, "payment_required", "You lack sufficient credits to make this request.");
  }
  if (fault.kind === "rate-limit") {
    const reply = failure(429, "rate_limit_exceeded", "Too many requests in a short time.");
    const { retryAfter } = fault;
    return retryAfter === null ? reply : { ...reply, headers: { "retry-after": retryAfter } };
  }
  if (fault.kind === "server-error") {
    return failure(fault.status, "internal_error", `An unexpected server error (key ${apiKey}).`);
  }
  return null;
}

function failure(status: number, name: string, error: string): Reply {
  return { status, json: { id: "a1b2c3d4e5f6", name, errors: [error] } };
}
