import * as z from "zod";
import type { Provider, ProviderRequest } from "../provider.ts";
import { toBase64 } from "./encode-reference.ts";
import { pixelsOf, type PixelArea } from "./fit-pixels.ts";
import { createAdapter } from "./http/adapter.ts";
import { invalidRequest } from "./http/call-ended.ts";
import { explainStatus } from "./http/explain-status.ts";
import { readBase64, readImage } from "./http/read-image.ts";
import { findJson, readJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer } from "./http/send.ts";

export interface Automatic1111Options extends CallLimits {
  /** Where the server is, for example `http://127.0.0.1:7860`. */
  readonly baseUrl: string;
  /** `user:password`, as the server was given with `--api-auth`; undefined when it was not. */
  readonly apiKey?: string | undefined;
}

/** Pixels by image size: Stable Diffusion wants multiples of 64, or loses its composition. */
const areas: Readonly<Record<string, PixelArea>> = {
  "0.5K": { pixels: 512 ** 2, maxEdge: 2048, step: 64 },
  "1K": { pixels: 1024 ** 2, maxEdge: 2048, step: 64 },
  "2K": { pixels: 2048 ** 2, maxEdge: 2048, step: 64 },
};

const steps = 30;
/** How far an image may go from its reference, from 0 to 1; the server's own default. */
const denoisingStrength = 0.75;

const madeSchema = z.object({ images: z.array(z.string()).min(1) });
const validationSchema = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
});
const failureSchema = z.looseObject({
  error: z.string().optional(),
  detail: z.string().optional(),
  errors: z.string().optional(),
});

/**
 * AUTOMATIC1111's web UI and Forge, started with `--api`. A request's model is a checkpoint's name,
 * which the server loads for it; of one that it does not know it takes the one loaded, without a word.
 *
 * One reference at most, from which the image is made (img2img): composition is kept rather than
 * persons. The server answers when the image is done, and knows nothing of it later; a lost call can
 * only be repeated. It is not told when nobody waits any more: its `/interrupt` stops whatever is being
 * made just then, which may be somebody else's. There is no policy and no price.
 *
 * Sources: `modules/api` of stable-diffusion-webui 1.10. Forge keeps the same API; not checked there.
 */
export function createAutomatic1111Provider(options: Automatic1111Options): Provider {
  const { apiKey, baseUrl } = options;
  const basic = apiKey === undefined ? null : Buffer.from(apiKey).toString("base64");
  const send = createSend({
    ...options,
    baseUrl,
    credentials: basic === null ? {} : { authorization: `Basic ${basic}` },
  });
  return createAdapter({
    name: "automatic1111",
    lostCall: "repeat-blindly",
    secrets: apiKey === undefined ? [] : [apiKey],
    limits: options,
    async makeImage(request, { signal }) {
      const size = pixelsOf(request, areas);
      const answer = await send({
        method: "POST",
        url: request.references.length === 0 ? "sdapi/v1/txt2img" : "sdapi/v1/img2img",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...size, ...describe(request) }),
        signal,
        asks: "to-make",
      });
      if (answer.status !== 200) throw explainStatus(answer, said(answer));
      const [image = ""] = readJson(answer, madeSchema).images;
      return { kind: "image", image: await readImage(readBase64(image), size), turn: null };
    },
  });
}

function describe({ model, prompt, references, seed }: ProviderRequest): object {
  const [reference, ...others] = references;
  if (others.length > 0) throw invalidRequest("one reference at most");
  return {
    prompt,
    seed,
    steps,
    batch_size: 1,
    n_iter: 1,
    send_images: true,
    save_images: false,
    override_settings: { sd_model_checkpoint: model },
    // Otherwise the checkpoint is loaded twice for every image.
    override_settings_restore_afterwards: false,
    ...(reference === undefined
      ? {}
      : { init_images: [toBase64(reference)], denoising_strength: denoisingStrength }),
  };
}

/** FastAPI's list of what is wrong, or the server's own `{error, detail, body, errors}`. */
function said(answer: HttpAnswer): string {
  const invalid = findJson(answer, validationSchema)?.detail;
  if (invalid !== undefined) {
    return invalid.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  }
  const { detail, error, errors } = findJson(answer, failureSchema) ?? {};
  return [error, detail, errors].filter((text) => text !== undefined && text !== "").join(": ");
}
