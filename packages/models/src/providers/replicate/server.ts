import sharp from "sharp";
import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import { createJobs, type Job, type Jobs } from "../testing/jobs.ts";
import { makeImage, makeSvg, startProtocolServer } from "../testing/protocol-server.ts";
import type { ProtocolServer, Reply, Visit } from "../testing/protocol-server.ts";
import { isImageInBase64, readJsonBody } from "../testing/read-json-body.ts";
import { findMaskProblemInBase64 } from "../testing/read-mask.ts";

/**
 * Replicate's API on loopback, based on its documentation and its client: predictions by model name
 * and by version, with `Prefer: wait`, polling and cancellation. Inputs are validated against the
 * published schema of FLUX.2 [pro].
 *
 * Refusal shapes, all returned as failed predictions: `e005`, `nsfw`.
 */
export function startReplicateServer({
  apiKey,
}: {
  readonly apiKey: string;
}): Promise<ProtocolServer> {
  const jobs = createJobs<Order>();
  return startProtocolServer(
    (visit) => respond(visit, apiKey, jobs),
    ({ method, path }) => {
      if (method === "POST") return path.endsWith("/cancel") ? null : "order";
      return path.startsWith("/v1/") ? "poll" : null;
    },
  );
}

const version = "00b07c32e314ceb5152c1d08e73400e6a61d7d22ba60a405fc76314fc807910c";

async function respond(visit: Visit, apiKey: string, jobs: Jobs<Order>): Promise<Reply> {
  const { call, url } = visit;
  const { pathname } = url;
  if (call.method === "GET" && pathname.startsWith("/delivery/")) return deliver(visit, jobs);
  if (call.headers.authorization !== `Bearer ${apiKey}`) {
    const detail = `You did not pass a valid authentication token: ${call.headers.authorization}`;
    return failure(401, "Unauthenticated", detail);
  }
  const [, model = ""] = /^\/v1\/models\/([\w.-]+\/[\w.-]+)\/predictions$/.exec(pathname) ?? [];
  const schema = Object.hasOwn(models, model) ? models[model] : undefined;
  if (call.method === "POST" && schema !== undefined) {
    return order(visit, z.strictObject({ input: schema, ...webhook }), jobs);
  }
  if (call.method === "POST" && pathname === "/v1/predictions")
    return order(visit, byVersion, jobs);
  const [path, id = "", action] = /^\/v1\/predictions\/(\w+)(\/cancel)?$/.exec(pathname) ?? [];
  if (path !== undefined && call.method === "GET" && action === undefined) {
    return ask(visit, id, jobs);
  }
  if (path !== undefined && call.method === "POST" && action !== undefined) {
    return cancel(visit, id, jobs);
  }
  return notFound;
}

const image = z.string().refine((text) => isImageInBase64(text) || text.startsWith("https://"));
const inputSchema = z.strictObject({
  prompt: z.string(),
  input_images: z.array(image).max(8).default([]),
  aspect_ratio: z
    .enum(["1:1", "16:9", "3:2", "2:3", "4:5", "5:4", "9:16", "3:4", "4:3", "21:9", "9:21"])
    .default("1:1"),
  resolution: z.enum(["0.5 MP", "1 MP", "2 MP", "4 MP"]).default("1 MP"),
  seed: z.int().nullish(),
  safety_tolerance: z.int().min(1).max(5).default(2),
  output_format: z.enum(["webp", "jpg", "png"]).default("webp"),
  output_quality: z.int().min(0).max(100).default(80),
});
const webhook = {
  webhook: z.url().optional(),
  webhook_events_filter: z.array(z.string()).optional(),
};
const byVersion = z.strictObject({
  input: inputSchema,
  ...webhook,
  version: z.literal(version),
});
const fillSchema = z
  .strictObject({
    prompt: z.string(),
    image,
    mask: image.optional(),
    seed: z.int().nullish(),
    steps: z.int().min(15).max(50).optional(),
    guidance: z.number().optional(),
    safety_tolerance: z.int().min(1).max(6).optional(),
    output_format: z.enum(["jpg", "png"]).default("jpg"),
    prompt_upsampling: z.boolean().optional(),
  })
  .transform(async (input, context) => {
    const problem =
      input.mask === undefined ? null : await findMaskProblemInBase64(input.image, input.mask);
    if (problem !== null) context.addIssue(problem);
    const bytes = Buffer.from(input.image.replace(/^data:[^,]*,/, ""), "base64");
    const { width, height } = await sharp(bytes).metadata();
    return { output_format: input.output_format, pixels: { width, height } };
  });
const vectorSchema = z
  .strictObject({
    prompt: z.string().max(10_000),
    aspect_ratio: z.enum(["Not set", "1:1", "4:3", "3:4", "3:2", "2:3", "16:9", "9:16"]),
    size: z.string().optional(),
  })
  .transform(() => ({ output_format: "svg" as const }));

/** The inputs of each model. */
const models: Readonly<Record<string, z.ZodType<Order>>> = {
  "black-forest-labs/flux-2-pro": inputSchema,
  "black-forest-labs/flux-fill-pro": fillSchema,
  "recraft-ai/recraft-v4-svg": vectorSchema,
};

interface Order {
  readonly output_format: "webp" | "jpg" | "png" | "svg";
  readonly aspect_ratio?: string;
  readonly resolution?: string;
  /** Given by the image to edit. */
  readonly pixels?: { readonly width: number; readonly height: number };
}

async function order(
  visit: Visit,
  schema: z.ZodType<{ input: Order }>,
  jobs: Jobs<Order>,
): Promise<Reply> {
  const { call, fault } = visit;
  const wait = waitOf(call.headers.prefer);
  if (wait === null) return failure(400, "Bad Request", "Invalid Prefer header");
  const parsed = await schema.safeParseAsync(readJsonBody(call));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ message, path }) => `- ${path.join(".")}: ${message}`,
    );
    return failure(422, "Input validation failed", `${problems.join("\n")}\n`);
  }
  const problem = orderFailure(fault);
  if (problem !== null) return problem;
  visit.pay();
  // Ids are 26 letters and digits.
  const id = crypto.randomUUID().replaceAll("-", "").slice(0, 26);
  jobs.take(id, parsed.data.input);
  const job = jobs.find(id, null);
  if (job !== null && wait > 0) job.polls = 2;
  return {
    status: 201,
    json: describe(call.headers.host, id, parsed.data.input, { status: "starting" }),
  };
}

/** Seconds of `Prefer: wait` or `wait=n`; null for an invalid value. */
function waitOf(prefer: string | string[] | undefined): number | null {
  if (prefer === undefined) return 0;
  const [found, seconds = "60"] = /^wait(?:=(\d+))?$/.exec(String(prefer)) ?? [];
  if (found === undefined || Number(seconds) < 1 || Number(seconds) > 60) return null;
  return Number(seconds);
}

function describe(host: string | undefined, id: string, input: Order, more: object): object {
  const url = `http://${host}/v1/predictions/${id}`;
  return {
    id,
    model: "black-forest-labs/flux-2-pro",
    version: "hidden",
    input: { ...input, input_images: [] },
    logs: "",
    output: null,
    data_removed: false,
    error: null,
    source: "api",
    created_at: "2026-11-21T00:00:00.000Z",
    urls: { get: url, cancel: `${url}/cancel`, web: `https://replicate.com/p/${id}` },
    ...more,
  };
}

function orderFailure(fault: Fault | null): Reply | null {
  if (fault?.kind === "rate-limit") {
    const resets =
      fault.retryAfter === null ? "" : ` Your rate limit resets in ~${fault.retryAfter}s.`;
    return { status: 429, json: { detail: `Request was throttled.${resets}` } };
  }
  if (fault?.kind === "out-of-quota") {
    const detail =
      "You have insufficient credit to run this model. Go to https://replicate.com/account/billing#billing to purchase credit.";
    return failure(402, "Insufficient credit", detail);
  }
  if (fault?.kind === "invalid-request") {
    return failure(422, "Input validation failed", "- input.prompt: Too long\n");
  }
  if (fault?.kind === "server-error" && fault.at === "order") {
    return failure(fault.status, "Error", "Something went wrong");
  }
  return null;
}

function ask({ call, fault }: Visit, id: string, jobs: Jobs<Order>): Reply {
  if (fault?.kind === "server-error" && fault.at === "poll") {
    return failure(fault.status, "Error", "Something went wrong");
  }
  const job = jobs.find(id, fault);
  if (job === null) return notFound;
  const progress = jobs.poll(job, fault);
  const status = { waiting: "starting", working: "processing", ended: "succeeded" }[progress];
  const more = progress === "ended" ? endOf(call.headers.host, job, fault) : {};
  return { status: 200, json: describe(call.headers.host, id, job.order, { status, ...more }) };
}

function endOf(host: string | undefined, job: Job<Order>, fault: Fault | null): object {
  if (job.cancelled) return { status: "canceled" };
  if (fault?.kind === "refusal") {
    const error =
      fault.shape === "nsfw"
        ? "NSFW content detected. Try running it again, or try a different prompt."
        : "The input or output was flagged as sensitive. Please try again with different inputs. (E005) (aBcDeF)";
    return { status: "failed", error };
  }
  if (fault?.kind === "failed-job") {
    return { status: "failed", error: "Prediction interrupted; please retry (code: PA)" };
  }
  return {
    output: `http://${host}/delivery/${job.id}/out.${job.order.output_format}`,
    metrics: { predict_time: 2.5, image_count: 1 },
  };
}

function cancel({ call, fault }: Visit, id: string, jobs: Jobs<Order>): Reply {
  const job = jobs.find(id, fault);
  if (job === null) return notFound;
  job.cancelled = true;
  return {
    status: 200,
    json: describe(call.headers.host, id, job.order, { status: "canceled" }),
  };
}

/** Outputs are public; a request with a token would disclose the token to a third-party host. */
async function deliver({ call, fault, url }: Visit, jobs: Jobs<Order>): Promise<Reply> {
  const job = jobs.find(url.pathname.split("/")[2] ?? "", fault);
  if (job === null || call.headers.authorization !== undefined) {
    return failure(400, "Bad Request", "No token is wanted here");
  }
  const { aspect_ratio: ratio = "1:1", output_format: format, resolution = "1 MP" } = job.order;
  if (format === "svg") return { status: 200, bytes: makeSvg(fault) };
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  const area = Number.parseFloat(resolution) * 1_000_000;
  const scale = Math.min(1, 2048 / Math.sqrt(area * Math.max(across / down, down / across)));
  const width = Math.round((Math.sqrt(area * (across / down)) * scale) / 16) * 16;
  const height = Math.round((Math.sqrt(area * (down / across)) * scale) / 16) * 16;
  const size = job.order.pixels ?? { width, height };
  const bytes = await makeImage(size, format === "jpg" ? "jpeg" : format, fault);
  return { status: 200, bytes };
}

const notFound = failure(404, "Not found", "The requested resource could not be found.");

function failure(status: number, title: string, detail: string): Reply {
  return { status, json: { title, detail, status } };
}
