import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import { makeImage, startProtocolServer } from "../testing/protocol-server.ts";
import type { ProtocolServer, Reply, Visit } from "../testing/protocol-server.ts";
import { isImageInBase64, readJsonBody } from "../testing/read-json-body.ts";

/**
 * The API of AUTOMATIC1111's web UI on loopback, based on its `modules/api`, with `--api-auth`:
 * `txt2img` and `img2img`, FastAPI's 422 and the server's own error format. Unlike the original, it
 * rejects unknown fields.
 */
export function startAutomatic1111Server({
  apiKey,
  finish,
}: {
  /** `user:password`. */
  readonly apiKey: string;
  /** Until then an image with a task id is made, and its progress can be asked for. Default: at once. */
  readonly finish?: Promise<void>;
}): Promise<ProtocolServer> {
  const tasks: Tasks = { current: null, finish };
  return startProtocolServer((visit) => respond(visit, apiKey, tasks));
}

interface Tasks {
  /** The id of the task whose image is made. */
  current: string | null;
  readonly finish: Promise<void> | undefined;
}

const textSchema = z.strictObject({
  prompt: z.string(),
  negative_prompt: z.string().optional(),
  seed: z.int().min(-1),
  width: z.int().min(64).max(2048).multipleOf(8),
  height: z.int().min(64).max(2048).multipleOf(8),
  steps: z.int().min(1).max(150),
  cfg_scale: z.number().optional(),
  sampler_name: z.enum(["Euler", "DPM++ 2M"]).optional(),
  scheduler: z.enum(["automatic", "karras", "simple"]).optional(),
  batch_size: z.int().min(1).max(8),
  n_iter: z.int().min(1),
  send_images: z.boolean(),
  save_images: z.boolean(),
  override_settings: z.strictObject({ sd_model_checkpoint: z.string() }),
  override_settings_restore_afterwards: z.boolean(),
  force_task_id: z.string().optional(),
});
const imageSchema = textSchema.extend({
  init_images: z.array(z.string().refine(isImageInBase64)).min(1),
  denoising_strength: z.number().min(0).max(1),
  mask: z.string().refine(isImageInBase64).optional(),
  mask_blur: z.int().min(0).optional(),
  inpainting_fill: z.int().min(0).max(3).optional(),
  inpaint_full_res: z.boolean().optional(),
  inpainting_mask_invert: z.int().min(0).max(1).optional(),
});
const schemas: Readonly<Record<string, z.ZodType<z.output<typeof textSchema>>>> = {
  "/sdapi/v1/txt2img": textSchema,
  "/sdapi/v1/img2img": imageSchema,
};

/** The installed parts, in the format of `modules/api` and of the built-in extension Lora. */
const lists: Readonly<Record<string, unknown>> = {
  "/sdapi/v1/sd-models": [
    {
      title: "sd_xl_base_1.0.safetensors [31e35c80fc]",
      model_name: "sd_xl_base_1.0",
      hash: "31e35c80fc",
      sha256: null,
      filename: "/models/Stable-diffusion/sd_xl_base_1.0.safetensors",
      config: null,
    },
    {
      title: "SD XL Base 1.0.ckpt",
      model_name: "SD XL Base 1.0",
      hash: null,
      sha256: null,
      filename: "/models/Stable-diffusion/SD XL Base 1.0.ckpt",
      config: null,
    },
  ],
  "/sdapi/v1/samplers": [
    { name: "Euler", aliases: ["k_euler"], options: {} },
    { name: "DPM++ 2M", aliases: ["k_dpmpp_2m"], options: { scheduler: "karras" } },
  ],
  "/sdapi/v1/schedulers": [
    { name: "automatic", label: "Automatic", aliases: null, default_rho: -1 },
    { name: "karras", label: "Karras", aliases: null, default_rho: 7 },
  ],
  "/sdapi/v1/loras": [
    {
      name: "detail",
      alias: "Detail tweaker",
      path: "/models/Lora/detail.safetensors",
      metadata: {},
    },
    // A file name that no prompt can name.
    { name: "a:b", alias: "a:b", path: "/models/Lora/a:b.safetensors", metadata: {} },
  ],
};

async function respond(visit: Visit, apiKey: string, tasks: Tasks): Promise<Reply> {
  const { call, fault, url } = visit;
  const basic = Buffer.from(apiKey).toString("base64");
  if (call.headers.authorization !== `Basic ${basic}`) {
    return failure(401, "HTTPException", "Incorrect username or password", "", {
      "www-authenticate": "Basic",
    });
  }
  const list = lists[url.pathname];
  if (call.method === "GET" && list !== undefined) return { status: 200, json: list };
  if (call.method === "GET" && url.pathname === "/sdapi/v1/progress")
    return describeProgress(fault, tasks);
  if (call.method === "POST" && url.pathname === "/internal/progress") {
    const { id_task: id } = readJsonBody(call) as { readonly id_task: string };
    return { status: 200, json: { active: tasks.current === id, queued: false, completed: false } };
  }
  const schema = schemas[url.pathname];
  if (schema === undefined) return failure(404, "HTTPException", "Not Found");
  if (call.method !== "POST") return failure(405, "HTTPException", "Method Not Allowed");
  const parsed = schema.safeParse(readJsonBody(call));
  if (!parsed.success) {
    const detail = parsed.error.issues.map(({ code, message, path }) => ({
      loc: ["body", ...path],
      msg: message,
      type: code,
    }));
    return { status: 422, json: { detail } };
  }
  const problem = failureOf(fault);
  if (problem !== null) return problem;
  visit.pay();
  const order = parsed.data;
  tasks.current = order.force_task_id ?? null;
  await tasks.finish;
  tasks.current = null;
  const image = await makeImage(order, "png", fault);
  const images = Array.from({ length: order.batch_size }, () => image.toString("base64"));
  return {
    status: 200,
    json: {
      images,
      parameters: order,
      info: JSON.stringify({ seed: order.seed, all_seeds: [order.seed] }),
    },
  };
}

/** Of a server without work, or in the seventh of twenty steps. */
function describeProgress(fault: Fault | null, { current }: Tasks): Reply {
  if (fault?.kind === "server-error") return failure(fault.status, "RuntimeError", "");
  const steps =
    current === null
      ? { job_count: 0, sampling_step: 0, sampling_steps: 0 }
      : { job_count: 1, sampling_step: 7, sampling_steps: 20 };
  const state = { skipped: false, interrupted: false, job: "", ...steps };
  const progress = current === null ? 0 : 0.35;
  return { status: 200, json: { progress, eta_relative: 0, state, current_image: null } };
}

function failureOf(fault: Fault | null): Reply | null {
  if (fault?.kind === "invalid-request") return failure(404, "HTTPException", "Sampler not found");
  if (fault?.kind !== "server-error") return null;
  const errors = "CUDA out of memory. Tried to allocate 2.25 GiB.";
  return failure(fault.status, "OutOfMemoryError", "", errors);
}

function failure(
  status: number,
  error: string,
  detail: string,
  errors = "",
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, json: { error, detail, body: "", errors } };
}
