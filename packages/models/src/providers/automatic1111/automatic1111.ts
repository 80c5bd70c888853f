import { randomUUID } from "node:crypto";
import { withoutEngineCommands } from "@atelier/schemas";
import * as z from "zod";
import type { Provider, ProviderRequest } from "../../provider.ts";
import { inputImages } from "../describe-references.ts";
import { toBase64 } from "../encode-reference.ts";
import { pixelsOf, type PixelArea } from "../fit-pixels.ts";
import { allParameters, everyModel, parameterCapabilities } from "../kind.ts";
import { createAdapter } from "../http/adapter.ts";
import { invalidRequest } from "../http/call-ended.ts";
import { createCheck } from "../http/check-server.ts";
import { explainStatus } from "../http/explain-status.ts";
import { readBase64, readImage } from "../http/read-image.ts";
import { findJson, readJson } from "../http/read-json.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";
import { watchProgress } from "./watch-progress.ts";

interface Automatic1111Options extends CallLimits {
  /** URL of the server, for example `http://127.0.0.1:7860`. */
  readonly baseUrl: string;
  /**
   * `user:password` as passed to the server's `--api-auth`; undefined when the option is not used.
   */
  readonly apiKey?: string | undefined;
  /** Time between two questions for the progress of an image, in milliseconds. Default 500. */
  readonly progressIntervalMs?: number | undefined;
}

/** Pixels by image size. Stable Diffusion needs multiples of 64 for a coherent composition. */
export const areas: Readonly<Record<string, PixelArea>> = {
  "0.5K": { pixels: 512 ** 2, maxEdge: 2048, step: 64 },
  "1K": { pixels: 1024 ** 2, maxEdge: 2048, step: 64 },
  "2K": { pixels: 2048 ** 2, maxEdge: 2048, step: 64 },
};

/** For models without presets; the server's own default of 50 is slow. */
const defaultSteps = 30;
/** How far the image may deviate from its reference, 0 to 1; this is the server's own default. */
const denoisingStrength = 0.75;

const madeSchema = z.object({ images: z.array(z.string()).min(1), info: z.string().optional() });
/** `info` is a text that contains JSON. */
const infoSchema = z.object({ all_seeds: z.array(z.number()).min(1) });
/** `job_count` is 0 while no image is made, and -1 at the start of one. Images that wait are not counted. */
const progressSchema = z.object({ state: z.object({ job_count: z.int() }) });
const validationSchema = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
});
const failureSchema = z.looseObject({
  error: z.string().optional(),
  detail: z.string().optional(),
  errors: z.string().optional(),
});

/** The header `authorization` of a server that asks for a user and a password. */
export function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword).toString("base64")}`;
}

/**
 * AUTOMATIC1111's web UI and Forge, started with `--api`. The request's model is a checkpoint name,
 * which the server loads. For an unknown name it silently uses the loaded checkpoint.
 *
 * Accepts at most one reference, as the init image of img2img, which preserves composition rather
 * than faces. The server responds when the image is finished and keeps no record of it, so a call
 * whose response was lost can only be repeated. An abandoned call is not cancelled: the server's
 * `/interrupt` stops the image in progress, which may belong to another client. The server has no
 * content policy and no prices.
 *
 * Sources: `modules/api` and `modules/progress.py` of stable-diffusion-webui 1.10. Forge uses the same API; not verified
 * there.
 */
export function createAutomatic1111Provider(options: Automatic1111Options): Provider {
  const { apiKey, baseUrl, progressIntervalMs: intervalMs = 500 } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: apiKey === undefined ? {} : { authorization: basic(apiKey) },
  });
  return createAdapter({
    name: "automatic1111",
    lostCall: "repeat-blindly",
    secrets: apiKey === undefined ? [] : [apiKey],
    limits: options,
    check: createCheck({
      send,
      url: "sdapi/v1/progress?skip_current_image=true",
      countJobs(response) {
        const progress = findJson(response, progressSchema);
        return progress === null ? null : Number(progress.state.job_count !== 0);
      },
    }),
    capabilities: ["edit", "mask", "negative_prompt", ...parameterCapabilities(allParameters)],
    canSize: everyModel,
    editSize: (request) => pixelsOf(request, areas),
    async makeImage(request, { signal, onProgress }) {
      const size = pixelsOf(request, areas);
      const taskId = onProgress === undefined ? null : randomUUID();
      const order = { ...size, ...describe(request), ...(taskId && { force_task_id: taskId }) };
      const ended = new AbortController();
      if (onProgress !== undefined && taskId !== null) {
        const watched = AbortSignal.any([signal, ended.signal]);
        void watchProgress(taskId, { send, intervalMs, signal: watched, onProgress });
      }
      const response = await send({
        method: "POST",
        url: inputImages(request).length === 0 ? "sdapi/v1/txt2img" : "sdapi/v1/img2img",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(order),
        signal,
        purpose: "generate",
      }).finally(() => ended.abort());
      if (response.status !== 200) throw explainStatus(response, errorTextOf(response));
      const { images, info = "" } = readJson(response, madeSchema);
      const image = await readImage(readBase64(images[0] ?? ""), size);
      return { kind: "image", image, turn: null, seed: readSeed(info) };
    },
  });
}

/** The seed that the server used; null when it does not say. */
function readSeed(info: string): number | null {
  try {
    return infoSchema.parse(JSON.parse(info)).all_seeds[0] ?? null;
  } catch {
    return null;
  }
}

function describe(request: ProviderRequest): object {
  const { model, negativePrompt, parameters = {}, prompt, seed, task } = request;
  const [image, ...others] = inputImages(request);
  if (others.length > 0) throw invalidRequest("one image at most");
  const edit = task?.kind === "edit" ? task : null;
  return {
    prompt: [withoutCommands(prompt), ...(parameters.loras ?? []).map(commandOf)].join(" "),
    seed,
    steps: parameters.steps ?? defaultSteps,
    ...(parameters.guidance === undefined ? {} : { cfg_scale: parameters.guidance }),
    ...(parameters.sampler === undefined ? {} : { sampler_name: parameters.sampler }),
    ...(parameters.scheduler === undefined ? {} : { scheduler: parameters.scheduler }),
    batch_size: 1,
    n_iter: 1,
    send_images: true,
    save_images: false,
    override_settings: { sd_model_checkpoint: model },
    // Restoring the settings would load the checkpoint twice for every image.
    override_settings_restore_afterwards: false,
    ...(negativePrompt == null ? {} : { negative_prompt: withoutCommands(negativePrompt) }),
    ...(image === undefined
      ? {}
      : {
          init_images: [toBase64(image)],
          denoising_strength: edit?.strength ?? denoisingStrength,
        }),
    ...(edit === null || edit.mask === null ? {} : describeMask(edit.mask)),
    ...parameters.extra,
  };
}

/** The command for a LoRA. Names are from the operator's catalogue and contain no `<`, `>` or `:`. */
function commandOf({ name, weight }: { readonly name: string; readonly weight: number }): string {
  return `<lora:${name}:${weight}>`;
}

/**
 * Removes commands from a prompt: extra networks such as `<lora:…>`, and `AND` in capitals, which
 * divides a prompt into several that are computed one by one (`modules/prompt_parser.py`).
 */
function withoutCommands(prompt: string): string {
  return withoutEngineCommands(prompt).replaceAll(/\bAND\b/g, "and");
}

/** An opaque grey mask: white marks what to change. */
function describeMask(mask: Uint8Array): object {
  return {
    mask: toBase64({ bytes: mask }),
    mask_blur: 4,
    // The masked area starts from the original pixels.
    inpainting_fill: 1,
    // By default, only the area around the mask would be drawn, in the size of the whole image.
    inpaint_full_res: false,
    inpainting_mask_invert: 0,
  };
}

/**
 * Error text: FastAPI's list of validation errors, or the server's own `{error, detail, body,
 * errors}`.
 */
function errorTextOf(response: HttpResponse): string {
  const invalid = findJson(response, validationSchema)?.detail;
  if (invalid !== undefined) {
    return invalid.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  }
  const { detail, error, errors } = findJson(response, failureSchema) ?? {};
  return [error, detail, errors].filter((text) => text !== undefined && text !== "").join(": ");
}
