import * as z from "zod";
import { createJobs, type Jobs } from "../testing/jobs.ts";
import { makeImage, startProtocolServer } from "../testing/protocol-server.ts";
import type { ProtocolServer, Reply, Visit } from "../testing/protocol-server.ts";
import { isImageInBase64 } from "../testing/read-json-body.ts";

/**
 * The job API of stable-diffusion.cpp's server on loopback, based on its code: the same routes,
 * messages and statuses. Unlike the original, it rejects unknown fields.
 */
export function startSdcppServer(): Promise<ProtocolServer> {
  const jobs = createJobs<Order>();
  return startProtocolServer(
    (visit) => respond(visit, jobs),
    ({ method, path }) => {
      if (method === "GET") return "poll";
      return path === "/sdcpp/v1/img_gen" ? "order" : null;
    },
  );
}

function respond(visit: Visit, jobs: Jobs<Order>): Reply | Promise<Reply> {
  const { call, url } = visit;
  if (call.method === "POST" && url.pathname === "/sdcpp/v1/img_gen") return submit(visit, jobs);
  if (call.method === "GET" && url.pathname === "/sdcpp/v1/capabilities") return capabilities;
  const path = /^\/sdcpp\/v1\/jobs\/([A-Za-z0-9_-]+)(\/cancel)?$/.exec(url.pathname);
  const [, id = "", action] = path ?? [];
  if (path !== null && call.method === "GET" && action === undefined) return poll(visit, id, jobs);
  if (path !== null && call.method === "POST" && action !== undefined) {
    return cancel(visit, id, jobs);
  }
  return { status: 404, json: {} };
}

/** The server's statement about itself, shortened to the fields that its documentation (`api.md`) lists for images. */
const capabilities: Reply = {
  status: 200,
  json: {
    model: {
      name: "z_image_turbo-Q8_0.gguf",
      stem: "z_image_turbo-Q8_0",
      path: "/models/z_image_turbo-Q8_0.gguf",
    },
    current_mode: "img_gen",
    supported_modes: ["img_gen"],
    defaults: {
      width: 1024,
      height: 1024,
      strength: 0.75,
      seed: -1,
      batch_count: 1,
      sample_params: {
        scheduler: "default",
        sample_method: "euler",
        sample_steps: 8,
        eta: null,
        shifted_timestep: 0,
        flow_shift: null,
        guidance: { txt_cfg: 1, img_cfg: null, distilled_guidance: 3.5 },
      },
      output_format: "png",
      output_compression: 100,
    },
    limits: {
      min_width: 64,
      max_width: 4096,
      min_height: 64,
      max_height: 4096,
      max_batch_count: 8,
    },
    samplers: ["euler", "euler_a", "dpm++2m"],
    schedulers: ["discrete", "normal", "karras"],
    output_formats: ["png", "jpeg", "webp"],
    features: { init_image: true, mask_image: true, ref_images: true, lora: true },
    loras: [
      { name: "detail", path: "detail.safetensors" },
      { name: "ink", path: "styles/ink.safetensors" },
    ],
    upscalers: [{ name: "None", model: false, image_upscale: false }],
  },
};

const image = z.string().refine(isImageInBase64);
const orderSchema = z.strictObject({
  prompt: z.string(),
  negative_prompt: z.string().optional(),
  width: z.int().min(64).max(4096),
  height: z.int().min(64).max(4096),
  seed: z.int(),
  batch_count: z.int().min(1).max(8),
  strength: z.number().optional(),
  init_image: image.nullish(),
  mask_image: image.nullish(),
  ref_images: z.array(image).optional(),
  sample_params: z
    .strictObject({
      sample_steps: z.int().min(1).optional(),
      sample_method: z.enum(["euler", "euler_a", "dpm++2m"]).optional(),
      scheduler: z.enum(["discrete", "karras"]).optional(),
      guidance: z
        .strictObject({
          txt_cfg: z.number().optional(),
          distilled_guidance: z.number().optional(),
        })
        .optional(),
    })
    .optional(),
  lora: z.array(z.strictObject({ path: z.string(), multiplier: z.number() })).optional(),
  output_format: z.enum(["png", "jpeg", "webp"]).default("png"),
  output_compression: z.int().min(0).max(100).default(100),
});

type Order = z.output<typeof orderSchema>;

function submit(visit: Visit, jobs: Jobs<Order>): Reply {
  const { call, fault } = visit;
  if (call.body.byteLength === 0) return failure(400, "empty body");
  // The content type is ignored, as in the original.
  const body = parseJson(call.body);
  if (body === undefined) {
    return { status: 400, json: { error: "invalid json", message: "syntax error" } };
  }
  const parsed = orderSchema.safeParse(body);
  if (!parsed.success || fault?.kind === "invalid-request") {
    return failure(400, "invalid generation parameters");
  }
  if (fault?.kind === "rate-limit") return failure(429, "job queue is full");
  if (fault?.kind === "server-error" && fault.at === "order") return serverError(fault.status);
  visit.pay();
  const id = `job_${Date.now().toString(16)}_${crypto.randomUUID().slice(0, 8)}`;
  jobs.take(id, parsed.data);
  return {
    status: 202,
    json: { id, kind: "img_gen", status: "queued", created, poll_url: `/sdcpp/v1/jobs/${id}` },
  };
}

const created = 1_790_000_000;

async function poll({ fault }: Visit, id: string, jobs: Jobs<Order>): Promise<Reply> {
  if (fault?.kind === "server-error" && fault.at === "poll") return serverError(fault.status);
  const job = jobs.find(id, fault);
  if (job === null) return failure(404, "job not found");
  const describe = (status: string, more: object = {}): Reply => ({
    status: 200,
    json: {
      id,
      kind: "img_gen",
      status,
      created,
      started: status === "queued" ? null : created + 1,
      completed: null,
      queue_position: status === "queued" ? 1 : 0,
      result: null,
      error: null,
      ...more,
    },
  });
  const progress = jobs.poll(job, fault);
  if (progress === "waiting") return describe("queued");
  if (progress === "working") return describe("generating");
  const completed = created + 9;
  if (job.cancelled) return describe("cancelled", { completed, error: cancelled });
  if (fault?.kind === "failed-job") {
    const error = { code: "generation_failed", message: "generate_image returned no results" };
    return describe("failed", { completed, error });
  }
  const { batch_count: count, output_format: format } = job.order;
  const bytes = await makeImage(job.order, format, fault);
  const images = Array.from({ length: count }, (_, index) => ({
    index,
    b64_json: bytes.toString("base64"),
  }));
  return describe("completed", { completed, result: { output_format: format, images } });
}

const cancelled = { code: "cancelled", message: "job cancelled by client" };

/** Only queued jobs can be cancelled. */
function cancel({ fault }: Visit, id: string, jobs: Jobs<Order>): Reply {
  const job = jobs.find(id, fault);
  if (job === null) return failure(404, "job not found");
  if (job.polls > 1) {
    return failure(409, "job is currently generating and cannot be interrupted yet");
  }
  job.cancelled = true;
  return { status: 200, json: { id, kind: "img_gen", status: "cancelled", error: cancelled } };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function failure(status: number, error: string): Reply {
  return { status, json: { error } };
}

function serverError(status: number): Reply {
  return { status, json: { error: "server_error", message: "bad allocation" } };
}
