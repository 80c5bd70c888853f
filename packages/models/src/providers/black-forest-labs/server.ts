import sharp from "sharp";
import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import { createJobs, type Jobs } from "../testing/jobs.ts";
import { makeImage, startProtocolServer } from "../testing/protocol-server.ts";
import type { ProtocolServer, Reply, Visit } from "../testing/protocol-server.ts";
import { isImageInBase64, readJsonBody } from "../testing/read-json-body.ts";
import { findMaskProblemInBase64 } from "../testing/read-mask.ts";

/**
 * Black Forest Labs' API on loopback, based on its documentation and OpenAPI document: jobs at
 * `POST /v1/{model}`, polling only at the returned `polling_url` (with the key), images at a
 * storage URL that takes no key. FLUX.3 requests are validated against its published fields and
 * values.
 *
 * Refusal shapes: `request`, `content` (with reasons), `content-503` (the same with HTTP 503).
 */
export function startBlackForestLabsServer({
  apiKey,
}: {
  readonly apiKey: string;
}): Promise<ProtocolServer> {
  const jobs = createJobs<Order>();
  return startProtocolServer(
    (visit) => respond(visit, apiKey, jobs),
    ({ method, path }) => {
      if (method === "POST") return "order";
      return path.startsWith(pollingPath) ? "poll" : null;
    },
  );
}

/** The polling URL is on a regional host, which differs from the host that accepted the job. */
const pollingPath = "/regions/eu4/v1/get_result";

async function respond(visit: Visit, apiKey: string, jobs: Jobs<Order>): Promise<Reply> {
  const { call, url } = visit;
  if (call.method === "GET" && url.pathname.startsWith("/delivery/")) return deliver(visit, jobs);
  if (call.headers["x-key"] !== apiKey) {
    return failure(
      403,
      `Not authenticated - Invalid Authentication ${String(call.headers["x-key"])}`,
    );
  }
  if (call.method === "POST" && /^\/v1\/[\w./-]+$/.test(url.pathname)) return order(visit, jobs);
  if (call.method === "GET" && url.pathname === pollingPath) return poll(visit, jobs);
  return failure(404, "Not Found");
}

const image = z.string().refine((text) => isImageInBase64(text) || text.startsWith("https://"));
const common = {
  prompt: z.string(),
  seed: z.int().min(0).nullish(),
  safety_tolerance: z.int().min(0).max(5).default(2),
  output_format: z.enum(["jpeg", "png", "webp"]).default("jpeg"),
  webhook_url: z.url().nullish(),
  webhook_secret: z.string().nullish(),
};
const edgeOfFlux2 = z.int().min(64).max(2048).multipleOf(16);
const flux2Schema = z
  .strictObject({
    ...common,
    width: edgeOfFlux2.default(1024),
    height: edgeOfFlux2.default(1024),
    prompt_upsampling: z.boolean().optional(),
    input_image: image.optional(),
    input_image_2: image.optional(),
    input_image_3: image.optional(),
    input_image_4: image.optional(),
    input_image_5: image.optional(),
    input_image_6: image.optional(),
    input_image_7: image.optional(),
    input_image_8: image.optional(),
  })
  .refine(({ height, width }) => width * height <= 4 * 1024 * 1024, "more than 4 MP");
const flux3Schema = z
  .strictObject({
    prompt: z.string(),
    safety_tolerance: z.int().min(0).max(4).default(2),
    images: z.union([image, z.array(image).min(1).max(10)]).optional(),
    aspect_ratio: z
      .string()
      .regex(/^(21:9|2:1|16:9|3:2|7:5|4:3|5:4|1:1|4:5|3:4|5:7|2:3|9:16|1:2|9:21)$/),
    resolution: z.enum(["768sq", "1k", "1.5k", "2k", "4k"]).default("1k"),
    grounding: z.boolean().default(true),
    webhook_url: z.url().nullish(),
    webhook_secret: z.string().nullish(),
  })
  .transform(({ aspect_ratio, resolution }) => {
    const [across = 1, down = 1] = aspect_ratio.split(":").map(Number);
    const edge = resolution === "768sq" ? 768 : 1024 * Number.parseFloat(resolution);
    const width = Math.round(edge * Math.sqrt(across / down));
    const height = Math.round(edge * Math.sqrt(down / across));
    return { width, height, output_format: "png" as const };
  });

const fillSchema = z
  .strictObject({
    ...common,
    image,
    mask: image.optional(),
    steps: z.int().min(15).max(50).optional(),
    guidance: z.number().min(1.5).max(100).optional(),
    prompt_upsampling: z.boolean().optional(),
  })
  .transform(async (input, context) => {
    const problem =
      input.mask === undefined ? null : await findMaskProblemInBase64(input.image, input.mask);
    if (problem !== null) context.addIssue(problem);
    const { width, height } = await sharp(Buffer.from(input.image, "base64")).metadata();
    return { ...input, width, height };
  });

const outpaintingSchema = z
  .strictObject({
    input_image: image,
    width: z.int().min(64).multipleOf(16),
    height: z.int().min(64).multipleOf(16),
    prompt: z.string().nullish(),
    reference_offset_x: z.int().nullish(),
    reference_offset_y: z.int().nullish(),
    auto_crop: z.boolean().default(false),
    mode: z.enum(["high", "fast"]).optional(),
    safety_tolerance: common.safety_tolerance,
    output_format: common.output_format,
  })
  .transform(async (input, context) => {
    const { width, height } = await sharp(Buffer.from(input.input_image, "base64")).metadata();
    const { reference_offset_x: left, reference_offset_y: top } = input;
    const isInside =
      (left ?? 0) >= 0 &&
      (top ?? 0) >= 0 &&
      (left ?? 0) + width <= input.width &&
      (top ?? 0) + height <= input.height;
    if (!isInside && !input.auto_crop) context.addIssue("the image extends beyond the canvas");
    return { ...input, seed: null };
  });
const eraseSchema = z
  .strictObject({
    image,
    mask: image,
    dilate_pixels: z.int().min(0).max(25).optional(),
    safety_tolerance: common.safety_tolerance,
    output_format: common.output_format,
  })
  .transform(async (input, context) => {
    const problem = await findMaskProblemInBase64(input.image, input.mask);
    if (problem !== null) context.addIssue(problem);
    const { width, height } = await sharp(Buffer.from(input.image, "base64")).metadata();
    return { ...input, width, height, seed: null };
  });

const schemas: Readonly<Record<string, z.ZodType<Order>>> = {
  "flux-2-pro": flux2Schema,
  "flux-2-max": flux2Schema,
  "flux-2-flex": flux2Schema,
  "flux-3-image": flux3Schema,
  "flux-pro-1.0-fill": fillSchema,
  "flux-tools/outpainting-v1": outpaintingSchema,
  "flux-tools/erase-v1": eraseSchema,
};

interface Order {
  readonly width: number;
  readonly height: number;
  readonly output_format: "jpeg" | "png" | "webp";
  readonly seed?: number | null | undefined;
}

async function order(visit: Visit, jobs: Jobs<Order>): Promise<Reply> {
  const { call, fault, url } = visit;
  const schema = schemas[url.pathname.slice("/v1/".length)];
  if (schema === undefined) return failure(404, "Not Found");
  const parsed = await schema.safeParseAsync(readJsonBody(call));
  if (!parsed.success) {
    return failure(
      422,
      parsed.error.issues.map(({ code, message, path }) => ({
        type: code,
        loc: ["body", ...path],
        msg: message,
      })),
    );
  }
  const problem = orderFailure(fault);
  if (problem !== null) return problem;
  visit.pay();
  const id = crypto.randomUUID();
  jobs.take(id, parsed.data);
  const { height, width } = parsed.data;
  return {
    status: 200,
    json: {
      id,
      polling_url: `http://${call.headers.host}${pollingPath}?id=${id}`,
      cost: 3,
      input_mp: 0,
      output_mp: (width * height) / 1_000_000,
    },
  };
}

function orderFailure(fault: Fault | null): Reply | null {
  if (fault?.kind === "rate-limit") {
    const reply = failure(429, "Rate limit exceeded: too many active tasks.");
    const { retryAfter } = fault;
    return retryAfter === null ? reply : { ...reply, headers: { "retry-after": retryAfter } };
  }
  if (fault?.kind === "out-of-quota") return failure(402, "Insufficient credits.");
  if (fault?.kind === "invalid-request") {
    return failure(422, [{ type: "value_error", loc: ["body"], msg: "Prompt is too long." }]);
  }
  if (fault?.kind === "server-error" && fault.at === "order") {
    return failure(fault.status, "Internal Server Error");
  }
  return null;
}

function poll({ call, fault, url }: Visit, jobs: Jobs<Order>): Reply {
  const id = url.searchParams.get("id") ?? "";
  if (fault?.kind === "server-error" && fault.at === "poll") {
    return failure(fault.status, "Internal Server Error");
  }
  const job = jobs.find(id, fault);
  if (job === null) return { status: 404, json: { id, status: "Task not found" } };
  const reply = (status: string, more: object = {}, httpStatus = 200): Reply => ({
    status: httpStatus,
    json: { id, status, result: null, progress: null, details: null, preview: null, ...more },
  });
  const progress = jobs.poll(job, fault);
  if (progress === "waiting") return reply("Pending");
  if (progress === "working") return reply("Generating", { progress: 0.5 });
  const reasons = { details: { "Moderation Reasons": ["Derivative Works Filter"] } };
  if (fault?.kind === "failed-job") return reply("Error", {}, 503);
  if (fault?.kind === "refusal") {
    if (fault.shape === "request") return reply("Request Moderated");
    return reply("Content Moderated", reasons, fault.shape === "content-503" ? 503 : 200);
  }
  const sample = `http://${call.headers.host}/delivery/${id}/sample?se=2026-11-21T00%3A10%3A00Z&sig=s`;
  return reply("Ready", { result: { sample, prompt: "…", seed: job.order.seed, duration: 2.5 } });
}

/** The image store rejects a request that is signed and also carries credentials. */
async function deliver({ call, fault, url }: Visit, jobs: Jobs<Order>): Promise<Reply> {
  const { authorization, "x-key": key } = call.headers;
  const job = jobs.find(url.pathname.split("/")[2] ?? "", fault);
  if (job === null || key !== undefined || authorization !== undefined) {
    return failure(400, "Only one way of authentication is allowed");
  }
  return { status: 200, bytes: await makeImage(job.order, job.order.output_format, fault) };
}

function failure(status: number, detail: unknown): Reply {
  return { status, json: { detail } };
}
