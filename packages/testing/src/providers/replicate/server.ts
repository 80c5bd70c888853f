import * as z from "zod";
import type { Fault } from "../faults.ts";
import { createJobs, type Job, type Jobs } from "../jobs.ts";
import { makeImage, startProtocolServer } from "../protocol-server.ts";
import type { ProtocolServer, Reply, Visit } from "../protocol-server.ts";
import { isImageInBase64, readJsonBody } from "../read-json-body.ts";

/**
 * Replicate's API on loopback, by its documentation and its client: predictions by model's name and
 * by version, with `Prefer: wait`, questions and cancel. Inputs are held to the published schema of
 * FLUX.2 [pro].
 *
 * Shapes of refusal, which all are failed predictions: `e005`, `nsfw`.
 */
export function startReplicateServer({
  apiKey,
}: {
  readonly apiKey: string;
}): Promise<ProtocolServer> {
  const jobs = createJobs<Order>();
  return startProtocolServer(
    (visit) => answer(visit, apiKey, jobs),
    ({ method, path }) => {
      if (method === "POST") return path.endsWith("/cancel") ? null : "order";
      return path.startsWith("/v1/") ? "question" : null;
    },
  );
}

const modelPath = "/v1/models/black-forest-labs/flux-2-pro/predictions";
const version = "00b07c32e314ceb5152c1d08e73400e6a61d7d22ba60a405fc76314fc807910c";

async function answer(visit: Visit, apiKey: string, jobs: Jobs<Order>): Promise<Reply> {
  const { call, url } = visit;
  const { pathname } = url;
  if (call.method === "GET" && pathname.startsWith("/delivery/")) return deliver(visit, jobs);
  if (call.headers.authorization !== `Bearer ${apiKey}`) {
    const detail = `You did not pass a valid authentication token: ${call.headers.authorization}`;
    return failure(401, "Unauthenticated", detail);
  }
  if (call.method === "POST" && pathname === modelPath) return order(visit, byModel, jobs);
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
const byModel = z.strictObject({ input: inputSchema, ...webhook });
const byVersion = byModel.extend({ version: z.literal(version) });

type Order = z.output<typeof inputSchema>;

function order(visit: Visit, schema: z.ZodType<{ input: Order }>, jobs: Jobs<Order>): Reply {
  const { call, fault } = visit;
  const wait = waitOf(call.headers.prefer);
  if (wait === null) return failure(400, "Bad Request", "Invalid Prefer header");
  const parsed = schema.safeParse(readJsonBody(call));
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
  if (job !== null && wait > 0) job.questions = 2;
  return {
    status: 201,
    json: describe(call.headers.host, id, parsed.data.input, { status: "starting" }),
  };
}

/** Seconds of `Prefer: wait` or `wait=n`; null for one that is not taken. */
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
  if (fault?.kind === "server-error" && fault.at === "question") {
    return failure(fault.status, "Error", "Something went wrong");
  }
  const job = jobs.find(id, fault);
  if (job === null) return notFound;
  const progress = jobs.ask(job, fault);
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

/** Outputs are public; a token in a request for one is a token given to somebody else's host. */
async function deliver({ call, fault, url }: Visit, jobs: Jobs<Order>): Promise<Reply> {
  const job = jobs.find(url.pathname.split("/")[2] ?? "", fault);
  if (job === null || call.headers.authorization !== undefined) {
    return failure(400, "Bad Request", "No token is wanted here");
  }
  const { aspect_ratio: ratio, output_format: format, resolution } = job.order;
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  const area = Number.parseFloat(resolution) * 1_000_000;
  const scale = Math.min(1, 2048 / Math.sqrt(area * Math.max(across / down, down / across)));
  const width = Math.round((Math.sqrt(area * (across / down)) * scale) / 16) * 16;
  const height = Math.round((Math.sqrt(area * (down / across)) * scale) / 16) * 16;
  const bytes = await makeImage({ width, height }, format === "jpg" ? "jpeg" : format, fault);
  return { status: 200, bytes };
}

const notFound = failure(404, "Not found", "The requested resource could not be found.");

function failure(status: number, title: string, detail: string): Reply {
  return { status, json: { title, detail, status } };
}
