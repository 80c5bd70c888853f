import sharp from "sharp";
import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import { createJobs, type Job, type Jobs } from "../testing/jobs.ts";
import { makeImage, makeSvg, startProtocolServer } from "../testing/protocol-server.ts";
import type { ProtocolServer, Reply, Visit } from "../testing/protocol-server.ts";
import { isImageInBase64, readJsonBody } from "../testing/read-json-body.ts";
import { findMaskProblemInBase64 } from "../testing/read-mask.ts";

/**
 * fal's queue on loopback, based on its documentation and its client: submission at `POST
 * /{model}`; status, result and cancellation at the returned URLs. The queue accepts any JSON; a
 * model rejects invalid input when it runs, so its 422 is part of the result.
 *
 * Refusal shapes: `prompt` and `body` (422 with that `loc`), `nsfw` (a blackened image).
 */
export function startFalServer({ apiKey }: { readonly apiKey: string }): Promise<ProtocolServer> {
  const jobs = createJobs<Order>();
  return startProtocolServer(
    (visit) => respond(visit, apiKey, jobs),
    ({ method, path }) => {
      if (method === "POST") return "order";
      return method === "GET" && !path.startsWith("/files/") ? "poll" : null;
    },
  );
}

async function respond(visit: Visit, apiKey: string, jobs: Jobs<Order>): Promise<Reply> {
  const { call, url } = visit;
  if (call.method === "GET" && url.pathname.startsWith("/files/")) return deliver(visit, jobs);
  if (call.headers.authorization !== `Key ${apiKey}`) {
    const detail = `Cannot access application: ${call.headers.authorization} is not valid`;
    return { status: 401, json: { detail } };
  }
  if (call.method === "POST") return order(visit, jobs);
  const path = /^\/fal-ai\/[\w.-]+\/requests\/([\w-]+)(\/status|\/cancel)?$/.exec(url.pathname);
  const [, id = "", action = ""] = path ?? [];
  if (path !== null && call.method === "GET" && action === "/status") return ask(visit, id, jobs);
  if (path !== null && call.method === "GET" && action === "") return readResult(visit, id, jobs);
  if (path !== null && call.method === "PUT" && action === "/cancel")
    return cancel(visit, id, jobs);
  return { status: 404, json: { detail: "Not Found" } };
}

const image = z.string().refine((text) => isImageInBase64(text) || text.startsWith("https://"));
const edge = z.int().min(256).max(2048);
const textSchema = z.strictObject({
  prompt: z.string().min(1),
  image_size: z
    .union([
      z.strictObject({ width: edge, height: edge }),
      z.literal("square_hd").transform(() => ({ width: 1024, height: 1024 })),
    ])
    .default({ width: 1024, height: 768 }),
  seed: z.int().nullish(),
  safety_tolerance: z.enum(["1", "2", "3", "4", "5"]).optional(),
  enable_safety_checker: z.boolean().optional(),
  output_format: z.enum(["jpeg", "png"]).default("jpeg"),
  sync_mode: z.boolean().optional(),
});
const editSchema = textSchema.extend({ image_urls: z.array(image).min(1).max(9) });

const fillSchema = z
  .strictObject({
    prompt: z.string(),
    image_url: image,
    mask_url: image,
    seed: z.int().nullish(),
    num_images: z.int().min(1).max(4).optional(),
    safety_tolerance: z.enum(["1", "2", "3", "4", "5", "6"]).optional(),
    output_format: z.enum(["jpeg", "png"]).default("jpeg"),
    sync_mode: z.boolean().optional(),
  })
  .transform(async (input, context) => {
    const problem = await findMaskProblemInBase64(input.image_url, input.mask_url);
    if (problem !== null) context.addIssue(problem);
    const bytes = Buffer.from(input.image_url.replace(/^data:[^,]*,/, ""), "base64");
    const { width, height } = await sharp(bytes).metadata();
    return { ...input, image_size: { width, height } };
  });
const part = z.int().min(0).max(255);
const colour = z.strictObject({ r: part, g: part, b: part });
const vectorSchema = z
  .strictObject({
    prompt: z.string().min(1).max(10_000),
    image_size: z.strictObject({ width: edge, height: edge }),
    colors: z.array(colour).default([]),
    background_color: colour.optional(),
    enable_safety_checker: z.boolean().optional(),
  })
  .transform((input) => ({ ...input, output_format: "svg" as const, seed: null }));

const flux3Fields = {
  prompt: z.string().min(1),
  aspect_ratio: z
    .string()
    .regex(/^(auto|21:9|2:1|16:9|3:2|7:5|4:3|5:4|1:1|4:5|3:4|5:7|2:3|9:16|1:2|9:21)$/)
    .default("auto"),
  resolution: z.enum(["768sq", "1k", "1.5k", "2k", "4k"]).default("1k"),
};
const flux3TextSchema = z.strictObject(flux3Fields).transform(sizeFlux3);
const flux3EditSchema = z
  .strictObject({ ...flux3Fields, image_urls: z.array(image.refine(fitsFlux3)).min(1).max(10) })
  .transform(sizeFlux3);

/** A reference has at least 256 pixels per dimension and at most 4 megapixels. */
async function fitsFlux3(url: string): Promise<boolean> {
  const bytes = Buffer.from(url.replace(/^data:[^,]*,/, ""), "base64");
  const { width, height } = (await sharp(bytes).metadata()).autoOrient;
  return Math.min(width, height) >= 256 && width * height <= 4_000_000;
}

/** As at Black Forest Labs, the model chooses the pixels by ratio and class. */
function sizeFlux3({
  aspect_ratio: ratio,
  resolution,
}: {
  readonly aspect_ratio: string;
  readonly resolution: string;
}): Input {
  const [across = 1, down = 1] = ratio === "auto" ? [] : ratio.split(":").map(Number);
  const area = resolution === "768sq" ? 768 : 1024 * Number.parseFloat(resolution);
  const width = Math.round(area * Math.sqrt(across / down));
  const height = Math.round(area * Math.sqrt(down / across));
  return { image_size: { width, height }, output_format: "png", seed: null };
}

const models: Readonly<Record<string, z.ZodType<Input>>> = {
  "fal-ai/flux-2-pro": textSchema,
  "fal-ai/flux-2-pro/edit": editSchema,
  "blackforestlabs/flux-3/text-to-image": flux3TextSchema,
  "blackforestlabs/flux-3/edit-image": flux3EditSchema,
  "fal-ai/flux-pro/v1/fill": fillSchema,
  "fal-ai/recraft/v4/text-to-vector": vectorSchema,
};

interface Input {
  readonly image_size: { readonly width: number; readonly height: number };
  readonly output_format: "jpeg" | "png" | "svg";
  readonly seed?: number | null | undefined;
}
type Order = z.ZodSafeParseResult<Input>;

async function order(visit: Visit, jobs: Jobs<Order>): Promise<Reply> {
  const { call, fault, url } = visit;
  const model = url.pathname.slice(1);
  const schema = models[model];
  if (schema === undefined) {
    return { status: 404, json: { detail: `Application '${model}' not found` } };
  }
  const body = readJsonBody(call);
  if (body === undefined) return { status: 422, json: { detail: "Invalid JSON body" } };
  const problem = orderFailure(fault);
  if (problem !== null) return problem;
  visit.pay();
  const id = crypto.randomUUID();
  jobs.take(id, await schema.safeParseAsync(body));
  return { status: 200, json: { ...describe(call.headers.host, id), ...waiting } };
}

const waiting = { status: "IN_QUEUE", queue_position: 0 };

/** The URLs contain the owner and the app, without the model's path. */
function describe(host: string | undefined, id: string): object {
  const url = `http://${host}/fal-ai/flux-2-pro/requests/${id}`;
  return {
    request_id: id,
    response_url: url,
    status_url: `${url}/status`,
    cancel_url: `${url}/cancel`,
  };
}

function orderFailure(fault: Fault | null): Reply | null {
  if (fault?.kind === "rate-limit") {
    return {
      status: 429,
      headers: fault.retryAfter === null ? {} : { "retry-after": fault.retryAfter },
      json: { detail: "Too many requests" },
    };
  }
  if (fault?.kind === "out-of-quota") {
    const detail =
      "User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.";
    return { status: 403, json: { detail } };
  }
  if (fault?.kind === "server-error" && fault.at === "order") {
    return { status: fault.status, json: { detail: "Internal Server Error" } };
  }
  return null;
}

const notFound: Reply = { status: 404, json: { detail: "Request not found" } };

function ask({ call, fault }: Visit, id: string, jobs: Jobs<Order>): Reply {
  if (fault?.kind === "server-error" && fault.at === "poll") {
    return { status: fault.status, json: { detail: "Internal Server Error" } };
  }
  const job = jobs.find(id, fault);
  if (job === null) return notFound;
  const about = describe(call.headers.host, id);
  switch (jobs.poll(job, fault)) {
    case "waiting":
      return { status: 202, json: { ...about, ...waiting } };
    case "working":
      return { status: 202, json: { ...about, status: "IN_PROGRESS", logs: null } };
    case "ended": {
      const metrics = { inference_time: 2.5 };
      return { status: 200, json: { ...about, status: "COMPLETED", logs: null, metrics } };
    }
  }
}

function readResult({ call, fault }: Visit, id: string, jobs: Jobs<Order>): Reply {
  const job = jobs.find(id, fault);
  if (job === null) return notFound;
  const headers = { "x-fal-request-id": id };
  if (job.polls < 2) return { status: 400, json: { detail: "Request is still in progress" } };
  const problem = resultFailure(job, fault);
  if (problem !== null) return { ...problem, headers: { ...headers, ...problem.headers } };
  const input: Input = job.order.data ?? textSchema.parse({ prompt: "none" });
  const { image_size: size, output_format: format } = input;
  return {
    status: 200,
    headers,
    json: {
      images: [
        {
          url: `http://${call.headers.host}/files/${id}.${format}`,
          content_type: format === "svg" ? "image/svg+xml" : `image/${format}`,
          file_name: `${id}.${format}`,
          file_size: null,
          ...size,
        },
      ],
      ...(input.seed == null ? {} : { seed: input.seed }),
      // Models with their own safety checker report its result.
      ...(fault?.kind === "refusal" ? { has_nsfw_concepts: [true] } : {}),
    },
  };
}

function resultFailure(
  { cancelled, order: parsed }: Job<Order>,
  fault: Fault | null,
): Reply | null {
  if (cancelled) {
    const json = { detail: "Request was cancelled", error_type: "client_cancelled" };
    return { status: 499, headers: { "x-fal-error-type": "client_cancelled" }, json };
  }
  if (!parsed.success) {
    return modelFailure(
      422,
      parsed.error.issues.map(({ code, message, path }) => [["body", ...path], code, message]),
    );
  }
  if (fault?.kind === "invalid-request") {
    return modelFailure(422, [[["body", "prompt"], "string_too_long", "The prompt is too long."]]);
  }
  if (fault?.kind === "refusal" && fault.shape !== "nsfw") {
    const loc = fault.shape === "prompt" ? ["body", "prompt"] : ["body"];
    const text = "The content could not be processed: it was flagged by a content checker.";
    return modelFailure(422, [[loc, "content_policy_violation", text]]);
  }
  if (fault?.kind === "failed-job") {
    const json = { detail: "Runner disconnected", error_type: "runner_disconnected" };
    return { status: 503, headers: { "x-fal-error-type": "runner_disconnected" }, json };
  }
  return null;
}

function modelFailure(
  status: number,
  errors: readonly (readonly [loc: readonly PropertyKey[], type: string, msg: string])[],
): Reply {
  const url = "https://docs.fal.ai/errors";
  return {
    status,
    headers: { "x-fal-retryable": "false" },
    json: { detail: errors.map(([loc, type, msg]) => ({ loc, type, msg, url, input: "…" })) },
  };
}

function cancel({ fault }: Visit, id: string, jobs: Jobs<Order>): Reply {
  const job = jobs.find(id, fault);
  if (job === null) return { status: 404, json: { status: "NOT_FOUND" } };
  job.cancelled = true;
  return { status: 202, json: { status: "CANCELLATION_REQUESTED" } };
}

/** Files are public; a request with a key would disclose the key to a third-party host. */
async function deliver({ call, fault, url }: Visit, jobs: Jobs<Order>): Promise<Reply> {
  const [, id = "", format] = /^\/files\/([\w-]+)\.(\w+)$/.exec(url.pathname) ?? [];
  const input = jobs.find(id, fault)?.order.data;
  if (input === undefined || input.output_format !== format) return notFound;
  if (call.headers.authorization !== undefined) {
    return { status: 400, json: { detail: "No key is wanted here" } };
  }
  if (format === "svg") return { status: 200, bytes: makeSvg(fault) };
  return { status: 200, bytes: await makeImage(input.image_size, format, fault) };
}
