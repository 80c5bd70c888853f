import * as z from "zod";
import type { ProtocolCall, Reply } from "../../testing/protocol-server.ts";
import { readForm } from "../../testing/read-form.ts";
import { isImageInBase64, readJsonBody } from "../../testing/read-json-body.ts";
import { findMaskProblem } from "../../testing/read-mask.ts";
import type { VendorRules, WantedImage } from "./described-server.ts";

/*
 * The rules of the described vendors, after the sources that their descriptions name. Each refuses
 * fields that its vendor does not document.
 */

const bearer = { header: "authorization", valueOf: (apiKey: string) => `Bearer ${apiKey}` };
const dataUrl = z
  .string()
  .refine((text) => text.startsWith("data:image/") && isImageInBase64(text));
const pixels = z.string().regex(/^\d+[x*]\d+$/);

/** Reads a JSON body with a schema. */
function inJson<T>(
  schema: z.ZodType<T>,
  read: (body: T) => WantedImage,
): (call: ProtocolCall) => WantedImage | string {
  return (call) => {
    const parsed = schema.safeParse(readJsonBody(call));
    return parsed.success ? read(parsed.data) : z.prettifyError(parsed.error);
  };
}

/** Reads the text fields and the files of a form. */
function inForm<T>(
  schema: z.ZodType<T>,
  files: readonly string[],
  read: (fields: T) => WantedImage,
): (call: ProtocolCall) => Promise<WantedImage | string> {
  return async (call) => {
    const parts = await readForm(call);
    if (parts === null) return "a form is needed";
    const sent = parts.filter(({ fileName }) => fileName !== null);
    const other = sent.find(({ name }) => !files.includes(name));
    if (other !== undefined) return `unknown file ${other.name}`;
    if (sent.some(({ bytes }) => !isImageInBase64(bytes.toString("base64")))) return "no image";
    const [image] = sent;
    const mask = sent.find(({ name }) => name === "mask");
    if (files.length > 0 && image === undefined) return "an image is needed";
    const problem =
      mask === undefined || image === undefined
        ? null
        : await findMaskProblem(image.bytes, mask.bytes, "transparent");
    if (problem !== null) return problem;
    const fields = parts.filter(({ fileName }) => fileName === null);
    const parsed = schema.safeParse(
      Object.fromEntries(fields.map(({ bytes, name }) => [name, bytes.toString()])),
    );
    return parsed.success ? read(parsed.data) : z.prettifyError(parsed.error);
  };
}

function fromText(size: string): WantedImage {
  const [width = 0, height = 0] = size.split(/[x*]/).map(Number);
  return { width, height };
}

/** A vendor that chooses the pixels of a ratio and a class. */
function fromClass(ratio: string, size: string): WantedImage {
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  const edge = 1024 * Number.parseInt(size, 10);
  return {
    width: Math.round(edge * Math.sqrt(across / down)),
    height: Math.round(edge * Math.sqrt(down / across)),
  };
}

const inBase64 = (image: Buffer): Reply => ({
  status: 200,
  json: { created: 1_790_000_000, data: [{ b64_json: image.toString("base64") }] },
});

const asOpenAi = (status: number, message: string, code: string): Reply => ({
  status,
  json: { error: { code, message, type: "error", param: null } },
});

const ratio = z.string().regex(/^\d+:\d+$/);

export const openRouter: VendorRules = {
  ...bearer,
  orders: {
    "/images": inJson(
      z.strictObject({
        model: z.string().min(1),
        prompt: z.string().min(1),
        n: z.literal(1),
        aspect_ratio: ratio,
        resolution: z.enum(["512", "1K", "2K", "4K"]),
        quality: z.enum(["low", "medium", "high", "auto"]).optional(),
        input_references: z
          .array(
            z.strictObject({
              type: z.literal("image_url"),
              image_url: z.strictObject({ url: dataUrl }),
            }),
          )
          .min(1)
          .optional(),
      }),
      ({ aspect_ratio, resolution }) => fromClass(aspect_ratio, resolution),
    ),
  },
  answer: (image) => ({
    status: 200,
    json: {
      created: 1_790_000_000,
      data: [{ b64_json: image.toString("base64"), media_type: "image/png" }],
      usage: { prompt_tokens: 12, completion_tokens: 4_175, total_tokens: 4_187, cost: 0.04 },
    },
  }),
  error: (status, message) => ({ status, json: { error: { code: status, message } } }),
  refusals: {
    flagged: {
      status: 403,
      json: {
        error: { code: 403, message: "Flagged", metadata: { reasons: ["violence/graphic"] } },
      },
    },
  },
};

const sensitive = "The request failed because it may contain sensitive information.";

export const seedream: VendorRules = {
  ...bearer,
  orders: {
    "/images/generations": inJson(
      z.strictObject({
        model: z.string().min(1),
        prompt: z.string().min(1),
        size: pixels,
        image: z.union([dataUrl, z.array(dataUrl).min(1).max(14)]).optional(),
        sequential_image_generation: z.enum(["auto", "disabled"]).optional(),
        response_format: z.enum(["url", "b64_json"]),
        output_format: z.enum(["png", "jpeg"]).optional(),
        watermark: z.boolean(),
      }),
      ({ size }) => fromText(size),
    ),
  },
  answer: inBase64,
  error: asOpenAi,
  refusals: {
    prompt: asOpenAi(400, sensitive, "InputTextSensitiveContentDetected"),
    violence: asOpenAi(400, sensitive, "SensitiveContentDetected.Violence"),
    reference: asOpenAi(400, sensitive, "InputImageSensitiveContentDetected"),
    image: asOpenAi(400, sensitive, "OutputImageSensitiveContentDetected"),
    "image alone": {
      status: 200,
      json: { data: [{ error: { code: "OutputImageSensitiveContentDetected", message: "" } }] },
    },
  },
  outOfQuota: asOpenAi(403, "The account is overdue", "AccountOverdueError"),
};

const unsafe = { is_image_safe: false, url: "", prompt: "", resolution: "2048x2048", seed: 1 };

export const ideogram: VendorRules = {
  header: "api-key",
  valueOf: (apiKey) => apiKey,
  orders: {
    "/v1/ideogram-v4/generate": inForm(
      z.strictObject({
        text_prompt: z.string().min(1),
        resolution: z.enum(["2048x2048", "2560x1440", "1440x2560", "2304x1728", "1728x2304"]),
        rendering_speed: z.enum(["TURBO", "DEFAULT", "QUALITY"]).optional(),
      }),
      [],
      ({ resolution }) => fromText(resolution),
    ),
  },
  answer: (_, url, seed) => ({
    status: 200,
    json: {
      created: "2026-11-24T10:00:00Z",
      data: [{ is_image_safe: true, prompt: "…", resolution: "2048x2048", seed, url }],
    },
  }),
  error: (status, error) => ({ status, json: { error } }),
  refusals: {
    prompt: { status: 422, json: { error: "Prompt or provided image failed the safety checks" } },
    image: { status: 200, json: { created: "2026-11-24T10:00:00Z", data: [unsafe] } },
  },
};

const dashScope = (status: number, message: string, code: string): Reply => ({
  status,
  json: { code, message, request_id: "0f8e6c1a" },
});

export const qwen: VendorRules = {
  ...bearer,
  orders: {
    "/api/v1/services/aigc/multimodal-generation/generation": inJson(
      z.strictObject({
        model: z.string().min(1),
        input: z.strictObject({
          messages: z.tuple([
            z.strictObject({
              role: z.literal("user"),
              content: z
                .array(
                  z.union([
                    z.strictObject({ image: dataUrl }),
                    z.strictObject({ text: z.string().min(1) }),
                  ]),
                )
                .min(1)
                .max(4),
            }),
          ]),
        }),
        parameters: z.strictObject({
          n: z.literal(1),
          size: pixels,
          seed: z.int().min(0).max(2_147_483_647).optional(),
          negative_prompt: z.string().optional(),
          prompt_extend: z.boolean().optional(),
          watermark: z.boolean().optional(),
        }),
      }),
      ({ parameters }) => fromText(parameters.size),
    ),
  },
  answer: (_, url) => ({
    status: 200,
    json: {
      output: {
        choices: [
          { finish_reason: "stop", message: { role: "assistant", content: [{ image: url }] } },
        ],
      },
      usage: { width: 1024, height: 1024, image_count: 1 },
      request_id: "0f8e6c1a",
    },
  }),
  error: dashScope,
  refusals: { inspection: dashScope(400, "Inappropriate content", "DataInspectionFailed") },
  outOfQuota: dashScope(400, "Access denied: the account is in arrears", "Arrearage"),
};

const grokImage = z.strictObject({ type: z.literal("image_url"), url: dataUrl });
const grokFields = {
  model: z.string().min(1),
  prompt: z.string().min(1),
  n: z.literal(1),
  aspect_ratio: ratio,
  resolution: z.enum(["1k", "2k"]),
  response_format: z.enum(["url", "b64_json"]),
};

export const xai: VendorRules = {
  ...bearer,
  orders: {
    "/images/generations": inJson(z.strictObject(grokFields), (body) =>
      fromClass(body.aspect_ratio, body.resolution),
    ),
    "/images/edits": inJson(
      z.union([
        z.strictObject({ ...grokFields, image: grokImage }),
        z.strictObject({ ...grokFields, images: z.array(grokImage).min(2).max(3) }),
      ]),
      (body) => fromClass(body.aspect_ratio, body.resolution),
    ),
  },
  // The cost is that of the vendor's page on cost tracking.
  answer: (image) => ({
    status: 200,
    json: {
      data: [{ b64_json: image.toString("base64"), respect_moderation: true }],
      usage: { cost_in_usd_ticks: 200_000_000 },
    },
  }),
  error: (status, error, code) => ({ status, json: { code, error } }),
  refusals: {
    moderation: { status: 400, json: { code: "x", error: "Blocked by content moderation." } },
    image: { status: 200, json: { data: [{ url: "", respect_moderation: false }] } },
  },
};

const azureFields = {
  model: z.string().min(1),
  prompt: z.string().min(1),
  size: z.enum(["1024x1024", "1536x1024", "1024x1536"]),
  quality: z.enum(["low", "medium", "high"]),
  output_format: z.enum(["png", "jpeg"]),
  background: z.enum(["transparent", "opaque"]).optional(),
};

export const azureOpenAi: VendorRules = {
  header: "api-key",
  valueOf: (apiKey) => apiKey,
  orders: {
    "/images/generations?api-version=preview": inJson(
      z.strictObject({ ...azureFields, n: z.literal(1) }),
      ({ background = "opaque", size }) => ({ ...fromText(size), background }),
    ),
    "/images/edits?api-version=preview": inForm(
      z.strictObject({ ...azureFields, n: z.literal("1") }),
      ["image[]", "mask"],
      ({ size }) => fromText(size),
    ),
  },
  answer: inBase64,
  error: asOpenAi,
  refusals: {
    filter: asOpenAi(400, "Your task failed as a result of our safety system.", "contentFilter"),
  },
  outOfQuota: asOpenAi(429, "You exceeded your quota", "insufficient_quota"),
};

const nimFields = {
  model: z.string().min(1),
  prompt: z.string().min(1),
  size: pixels,
  response_format: z.literal("b64_json"),
};

export const nvidiaNim: VendorRules = {
  ...bearer,
  orders: {
    "/images/generations": inJson(
      z.strictObject({ ...nimFields, n: z.literal(1), seed: z.int().min(0) }),
      ({ size }) => fromText(size),
    ),
    "/images/edits": inForm(
      z.strictObject({ ...nimFields, n: z.literal("1"), seed: z.string().regex(/^\d+$/) }),
      ["image[]"],
      ({ size }) => fromText(size),
    ),
  },
  answer: inBase64,
  error: (status, message) => ({ status, json: { detail: [{ loc: ["body"], msg: message }] } }),
  refusals: {},
};

export const bentoMl: VendorRules = {
  ...bearer,
  orders: {
    "/txt2img": inJson(
      z.strictObject({
        prompt: z.string().min(1),
        num_inference_steps: z.int().min(1).optional(),
        guidance_scale: z.number().min(0).optional(),
      }),
      () => ({ width: 1024, height: 1024 }),
    ),
  },
  answer: (bytes) => ({ status: 200, headers: { "content-type": "image/png" }, bytes }),
  error: (status, error) => ({ status, json: { error } }),
  refusals: {},
};
