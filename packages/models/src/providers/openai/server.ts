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
import { findMaskProblem } from "../testing/read-mask.ts";

/**
 * OpenAI's image API on loopback: `POST /v1/images/generations` (JSON) and `/v1/images/edits`
 * (multipart), validated against the fields, types and limits of the vendor's SDK and reference.
 *
 * Refusal shapes: `input`, `output`, `unknown` (with `moderation_details`), `bare` (categories only
 * in the message), `policy` (the older code).
 *
 * @param options.sign adds the vendor's manifest to each image.
 */
export function startOpenAiServer(
  options: { readonly apiKey?: string; readonly sign?: SignImage } = {},
): Promise<ProtocolServer> {
  const { apiKey = "sk-proj-atelier-test-0123456789abcdef", sign = null } = options;
  return startProtocolServer((visit) => respond(visit, apiKey, sign));
}

type SignImage = (image: Uint8Array) => Promise<Uint8Array>;

async function respond(visit: Visit, apiKey: string, sign: SignImage | null): Promise<Reply> {
  const { call, fault, url } = visit;
  if (call.method !== "POST") return failure(405, "Not allowed.", "invalid_request_error");
  const sentKey = /^Bearer (.+)$/.exec(call.headers.authorization ?? "")?.[1];
  if (sentKey !== apiKey) {
    const masked = `${sentKey?.slice(0, 8)}********${sentKey?.slice(-4)}`;
    return failure(
      401,
      `Incorrect API key provided: ${masked}.`,
      "invalid_request_error",
      "invalid_api_key",
    );
  }
  // Before the request is looked at.
  if (fault?.kind === "rate-limit" || fault?.kind === "server-error") {
    const limited = failureOf(fault, apiKey);
    if (limited !== null) return limited;
  }
  const order = await readOrder(call, url.pathname);
  if ("status" in order) return order;
  const problem = fault === null ? null : failureOf(fault, apiKey);
  if (problem !== null) return problem;
  visit.pay();
  return success(order, fault, sign);
}

async function readOrder(call: ProtocolCall, path: string): Promise<Order | Reply> {
  if (path === "/v1/images/generations") {
    if (!/^application\/json\b/.test(call.headers["content-type"] ?? "")) {
      return invalid(
        "Unsupported content type: use 'application/json'.",
        "unsupported_content_type",
      );
    }
    const order = parseJson(call.body);
    if (order === null) return invalid("We could not parse the JSON body of your request.", null);
    return check(order, generationSchema);
  }
  if (path === "/v1/images/edits") {
    const parts = await readForm(call);
    if (parts === null) {
      return invalid(
        "Unsupported content type: use 'multipart/form-data'.",
        "unsupported_content_type",
      );
    }
    return (
      checkImages(parts) ??
      (await checkMask(parts)) ??
      (await checkMarkup(parts)) ??
      check(readEdit(parts), editSchema)
    );
  }
  return failure(404, `Invalid URL (POST ${path})`, "invalid_request_error");
}

const models = [
  "gpt-image-1-mini",
  "gpt-image-1.5",
  "gpt-image-2",
  "gpt-image-2.5-sunburst",
  "gpt-image-2.5-flare",
  "gpt-image-2.6-sunburst",
  "gpt-image-2.6-flare",
];
/** Older models support three sizes; the others any size that follows the rules. */
const olderModels = ["gpt-image-1-mini", "gpt-image-1.5"];

const orderSchema = z.strictObject({
  model: z.string(),
  prompt: z.string().min(1).max(32_000),
  n: z.int().min(1).max(10).default(1),
  size: z.string().default("auto"),
  quality: z.enum(["low", "medium", "high", "xhigh", "max", "auto"]).default("auto"),
  complexity: z.enum(["low", "medium", "high"]).optional(),
  output_format: z.enum(["png", "jpeg", "webp", "svg"]).default("png"),
  output_compression: z.int().min(0).max(100).optional(),
  background: z.enum(["transparent", "opaque", "auto"]).optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
});
const generationSchema = orderSchema.extend({
  moderation: z.enum(["auto", "low"]).optional(),
  svg: z
    .strictObject({
      model: z.string().min(1),
      reasoning: z
        .strictObject({
          effort: z.enum(["none", "low", "medium", "high", "xhigh", "max"]).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
const editSchema = orderSchema.extend({ input_fidelity: z.enum(["high", "low"]).optional() });

type Order = z.output<typeof orderSchema> & { readonly svg?: unknown };

function check(fields: unknown, schema: z.ZodType<Order>): Order | Reply {
  const parsed = schema.safeParse(fields);
  if (!parsed.success) return invalidField(parsed.error.issues[0]);
  const { model, size } = parsed.data;
  if (!models.includes(model)) {
    const text = `The model '${model}' does not exist or you do not have access to it.`;
    return failure(404, text, "invalid_request_error", "model_not_found");
  }
  const { complexity, quality } = parsed.data;
  if (complexity !== undefined && !model.startsWith("gpt-image-2.6-")) {
    return invalid("Unknown parameter: 'complexity'.", "unknown_parameter");
  }
  const { n, output_format: format, svg } = parsed.data;
  if (format === "svg" && (!model.startsWith("gpt-image-2.6-") || n !== 1)) {
    return invalid("SVG output is not supported for this request.", "invalid_value");
  }
  if (format === "svg" && svg == null) {
    return invalid("SVG generation requires 'svg.model'.", "missing_required_parameter");
  }
  if (format !== "svg" && svg != null) {
    return invalid("'svg' requires output_format=svg.", "invalid_value");
  }
  if (/^(xhigh|max)$/.test(quality) && !/^gpt-image-2\.[56]-/.test(model)) {
    return invalid(`Invalid value for 'quality': '${quality}'.`, "invalid_value");
  }
  if (parsed.data.background === "transparent" && parsed.data.output_format === "jpeg") {
    return invalid("Transparent backgrounds need PNG or WebP.", "invalid_value");
  }
  if (parseSize(size, model) === null) {
    return failure(400, `Invalid size '${size}'.`, "image_generation_user_error", "invalid_value");
  }
  return parsed.data;
}

function invalidField(issue: z.core.$ZodIssue | undefined): Reply {
  if (issue?.code === "unrecognized_keys") {
    return invalid(`Unknown parameter: '${issue.keys.join()}'.`, "unknown_parameter");
  }
  return invalid(`Missing or invalid value for '${issue?.path.join(".")}'.`, "invalid_value");
}

/** The text fields of a form, with numbers parsed from text. */
function readEdit(parts: readonly FormPart[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    parts
      .filter(({ fileName }) => fileName === null)
      .map(({ bytes, name }) => {
        const text = bytes.toString();
        return [name, /^(n|output_compression)$/.test(name) ? Number(text) : text];
      }),
  );
}

function checkImages(parts: readonly FormPart[]): Reply | null {
  const files = parts.filter(({ fileName }) => fileName !== null);
  const images = files.filter(({ name }) => name === "image" || name === "image[]");
  if (images.length === 0) {
    return invalid("Missing required parameter: 'image'.", "missing_required_parameter");
  }
  if (images.length > 16) return invalid("Too many images: at most 16.", "invalid_value");
  const known = ["image[]", "image", "mask", "markup"];
  const other = files.find(({ name }) => !known.includes(name));
  if (other !== undefined)
    return invalid(`Unknown parameter: '${other.name}'.`, "unknown_parameter");
  const wrong = images.findIndex(
    ({ bytes, mediaType }) =>
      !["image/png", "image/jpeg", "image/webp"].includes(mediaType) ||
      bytes.byteLength >= 50 * 1024 * 1024,
  );
  if (wrong === -1) return null;
  return failure(
    400,
    `Invalid image file or mode for image ${wrong + 1}, please check your image file.`,
    "image_generation_user_error",
    "invalid_image_file",
  );
}

/** A mask is a PNG of less than 4 MB with alpha, of the size of the first image. */
async function checkMask(parts: readonly FormPart[]): Promise<Reply | null> {
  const image = parts.find(({ name }) => name === "image" || name === "image[]");
  const masks = parts.filter(({ name }) => name === "mask");
  const [mask] = masks;
  if (mask === undefined || image === undefined) return null;
  const problem =
    masks.length > 1 || mask.bytes.byteLength >= 4 * 1024 * 1024
      ? "the mask is too large"
      : await findMaskProblem(image.bytes, mask.bytes, "transparent");
  if (problem === null) return null;
  return failure(400, problem, "image_generation_user_error", "invalid_mask");
}

/** Markup is a PNG with transparent pixels, of the size of the first image, for GPT Image 2.5 and later. */
async function checkMarkup(parts: readonly FormPart[]): Promise<Reply | null> {
  const find = (...names: string[]) => parts.find(({ name }) => names.includes(name));
  const [image, markup, model] = [find("image", "image[]"), find("markup"), find("model")];
  if (markup === undefined || image === undefined) return null;
  if (!/^gpt-image-2\.[56]-/.test(model?.bytes.toString() ?? "")) {
    return invalid("Unknown parameter: 'markup'.", "unknown_parameter");
  }
  if (find("mask") !== undefined) {
    return invalid("'markup' cannot be combined with 'mask'.", "invalid_value");
  }
  const sizes = await Promise.all([image, markup].map(({ bytes }) => sharp(bytes).metadata()));
  const [first, drawn] = sizes;
  const fits = first?.width === drawn?.width && first?.height === drawn?.height;
  const isTransparent =
    drawn?.format === "png" && drawn.hasAlpha && !(await sharp(markup.bytes).stats()).isOpaque;
  if (fits && isTransparent) return null;
  return failure(
    400,
    "The markup must be a PNG of the size of the first image with transparent pixels.",
    "image_generation_user_error",
    "invalid_image_file",
  );
}

function parseSize(size: string, model: string): { width: number; height: number } | null {
  if (size === "auto") return { width: 1024, height: 1024 };
  if (olderModels.includes(model) && !/^(1024x1024|1536x1024|1024x1536)$/.test(size)) return null;
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size)?.map(Number) ?? [];
  if (width === undefined || height === undefined) return null;
  const long = Math.max(width, height);
  const pixels = width * height;
  const fits =
    width % 16 === 0 &&
    height % 16 === 0 &&
    long <= 3840 &&
    long / Math.min(width, height) <= 3 &&
    pixels >= 655_360 &&
    pixels <= 8_294_400;
  return fits ? { width, height } : null;
}

async function success(order: Order, fault: Fault | null, sign: SignImage | null): Promise<Reply> {
  const { model, n, output_format: format, quality, size } = order;
  const background = order.background === "transparent" ? "transparent" : "opaque";
  const pixels = parseSize(size, model) ?? { width: 1024, height: 1024 };
  const drawn =
    format === "svg" ? makeSvg(fault) : await makeImage(pixels, format, fault, background);
  const image = Buffer.from(sign === null ? drawn : await sign(drawn));
  return {
    status: 200,
    headers: { "x-request-id": "req_0123456789abcdef" },
    json: {
      created: 1_790_000_000,
      background,
      data: Array.from({ length: n }, () => ({ b64_json: image.toString("base64") })),
      output_format: format,
      quality: quality === "auto" ? "high" : quality,
      size: `${pixels.width}x${pixels.height}`,
      ...(format === "svg" && {
        svg_usage: {
          input_tokens: 900,
          model: "gpt-5.6-terra",
          output_tokens: 4_000,
          reasoning_tokens: 500,
          total_tokens: 4_900,
        },
      }),
      usage: {
        input_tokens: 50,
        input_tokens_details: { image_tokens: 40, text_tokens: 10 },
        output_tokens: 50,
        total_tokens: 100,
      },
    },
  };
}

function failureOf(fault: Fault, apiKey: string): Reply | null {
  if (fault.kind === "refusal") return refusal(fault.shape);
  if (fault.kind === "invalid-request") {
    return invalid(`Rejected for the project of ${apiKey}.`, "invalid_value");
  }
  if (fault.kind === "rate-limit") {
    const reply = failure(429, "Rate limit reached.", "requests", "rate_limit_exceeded");
    const { retryAfter } = fault;
    return retryAfter === null ? reply : { ...reply, headers: { "retry-after": retryAfter } };
  }
  if (fault.kind === "out-of-quota") {
    const text = "You exceeded your current quota, please check your plan and billing details.";
    return failure(429, text, "insufficient_quota", "insufficient_quota");
  }
  if (fault.kind === "server-error") {
    const text = `The server had an error while processing your request (key ${apiKey}).`;
    return failure(fault.status, text, "server_error");
  }
  return null;
}

function refusal(shape: string): Reply {
  const text = "Your request was rejected by the safety system.";
  if (shape === "policy") {
    return failure(400, text, "invalid_request_error", "content_policy_violation");
  }
  const message = shape === "bare" ? `${text} safety_violations=[sexual, violence].` : text;
  const error = {
    message,
    type: "image_generation_user_error",
    param: null,
    code: "moderation_blocked",
    ...(shape === "bare"
      ? {}
      : { moderation_details: { moderation_stage: shape, categories: ["violence"] } }),
  };
  return { status: 400, json: { error } };
}

function invalid(message: string, code: string | null): Reply {
  return failure(400, message, "invalid_request_error", code);
}

function failure(status: number, message: string, type: string, code: string | null = null): Reply {
  return { status, json: { error: { message, type, param: null, code } } };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
