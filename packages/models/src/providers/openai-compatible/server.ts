import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import {
  makeImage,
  startProtocolServer,
  type ProtocolCall,
  type ProtocolServer,
  type Reply,
  type Visit,
} from "../testing/protocol-server.ts";
import { readForm } from "../testing/read-form.ts";
import { isImageInBase64, readJsonBody } from "../testing/read-json-body.ts";
import { findMaskProblem } from "../testing/read-mask.ts";

/** The server to imitate; they differ in accepted fields and error formats. */
export type Flavour = "stable-diffusion.cpp" | "vllm-omni" | "sglang" | "localai";

interface Order {
  readonly prompt: string;
  readonly size: string;
  readonly output_format?: "png" | "jpeg" | undefined;
}

const commonSchema = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  n: z.literal(1),
  size: z.string(),
  seed: z.int().min(0),
  response_format: z.literal("b64_json"),
  output_format: z.enum(["png", "jpeg"]).optional(),
});
/** The field of a mask. SGLang ignores masks, so that nothing may send one. */
const maskFields: Readonly<Record<Flavour, string | null>> = {
  "stable-diffusion.cpp": "mask",
  "vllm-omni": "mask_image",
  sglang: null,
  localai: null,
};
/** vLLM-Omni and SGLang. */
const negative = {
  negative_prompt: z.string().optional(),
  num_inference_steps: z.coerce.number().int().min(1).optional(),
  guidance_scale: z.coerce.number().min(0).optional(),
  true_cfg_scale: z.coerce.number().min(0).optional(),
};
/** One LoRA per request, with a name and a path; a form contains it as JSON. */
const lora = z.strictObject({
  name: z.string().min(1),
  path: z.string().startsWith("/"),
  scale: z.number().optional(),
});
const vllm = { ...negative, lora: lora.optional() };
const vllmForm = {
  ...negative,
  lora: z
    .string()
    .transform((text) => JSON.parse(text) as unknown)
    .pipe(lora)
    .optional(),
};
/** All fields of an edit form are text. */
const editSchema = z.strictObject({
  ...commonSchema.shape,
  n: z.literal("1"),
  seed: z.string().regex(/^\d+$/),
});
const localAiSchema = commonSchema.extend({
  step: z.int().min(1).optional(),
  ref_images: z.array(z.string().refine(isImageInBase64)).min(1).optional(),
});

/**
 * A server with OpenAI's image API on loopback, imitating one of four servers: paths and fields
 * follow their sources. The originals ignore unknown fields; this one rejects them to detect
 * adapter mistakes.
 */
export function startOpenAiCompatibleServer(options: {
  readonly flavour: Flavour;
  /** Null for a server without keys. */
  readonly apiKey: string | null;
  /** The format of all answers, of a server that ignores `output_format`. Default: what is asked for. */
  readonly format?: "jpeg";
}): Promise<ProtocolServer> {
  const { apiKey, flavour, format } = options;
  return startProtocolServer((visit) => respond(visit, flavour, apiKey, format));
}

async function respond(
  visit: Visit,
  flavour: Flavour,
  apiKey: string | null,
  format: "jpeg" | undefined,
): Promise<Reply> {
  const { call, fault, url } = visit;
  const authorization = call.headers.authorization;
  if (authorization !== (apiKey === null ? undefined : `Bearer ${apiKey}`)) {
    return failure(flavour, 401, "Unauthorized");
  }
  if (call.method === "GET" && url.pathname === "/v1/models") {
    return { status: 200, json: modelsOf(flavour) };
  }
  const order =
    call.method === "POST" && url.pathname === "/v1/images/generations"
      ? readGeneration(call, flavour)
      : call.method === "POST" && url.pathname === "/v1/images/edits" && flavour !== "localai"
        ? await readEdit(call, flavour)
        : null;
  if (order === null) return failure(flavour, 404, "Not Found");
  if (typeof order === "string") return failure(flavour, 400, order);
  const problem = fault === null ? null : failureOf(fault, flavour, apiKey);
  if (problem !== null) return problem;
  visit.pay();
  return success({ ...order, output_format: format ?? order.output_format }, flavour, fault);
}

/** The list of models, as the servers' sources write it. */
function modelsOf(flavour: Flavour): object {
  const card = { object: "model", created: 1_790_000_000 };
  switch (flavour) {
    case "stable-diffusion.cpp":
      return { data: [{ id: "sd-cpp-local", object: "model", owned_by: "local" }] };
    case "vllm-omni":
      return {
        object: "list",
        data: [{ ...card, id: "Qwen/Qwen-Image", owned_by: "vllm", root: "Qwen/Qwen-Image" }],
      };
    case "sglang":
      return {
        object: "list",
        data: [{ ...card, id: "Tongyi-MAI/Z-Image-Turbo", owned_by: "sglang", task_type: "T2I" }],
      };
    case "localai":
      return { object: "list", data: [{ id: "flux.1-schnell", object: "model" }] };
  }
}

/** The parsed request, or an error message. */
function readGeneration(call: ProtocolCall, flavour: Flavour): Order | string {
  const schema =
    flavour === "localai"
      ? localAiSchema
      : flavour === "stable-diffusion.cpp"
        ? commonSchema
        : commonSchema.extend(flavour === "vllm-omni" ? vllm : negative);
  const parsed = schema.safeParse(readJsonBody(call));
  return parsed.success ? parsed.data : z.prettifyError(parsed.error);
}

async function readEdit(call: ProtocolCall, flavour: Flavour): Promise<Order | string> {
  const parts = await readForm(call);
  if (parts === null) return "Content-Type must be multipart/form-data";
  const files = parts.filter(({ fileName }) => fileName !== null);
  const [image] = files.filter(({ name }) => name === "image[]");
  if (image === undefined) return "at least one image[] required";
  const other = files.find(({ name }) => name !== "image[]" && name !== maskFields[flavour]);
  if (other !== undefined) return `unknown file ${other.name}`;
  const mask = files.find(({ name }) => name === maskFields[flavour]);
  const problem =
    mask === undefined ? null : await findMaskProblem(image.bytes, mask.bytes, "white");
  if (problem !== null) return problem;
  if (files.some(({ bytes }) => !isImageInBase64(bytes.toString("base64")))) {
    return "an image[] that is no image";
  }
  const fields = parts.filter(({ fileName }) => fileName === null);
  const parsed = (
    flavour === "stable-diffusion.cpp"
      ? editSchema
      : editSchema.extend(flavour === "vllm-omni" ? vllmForm : negative)
  ).safeParse(Object.fromEntries(fields.map(({ bytes, name }) => [name, bytes.toString()])));
  return parsed.success ? parsed.data : z.prettifyError(parsed.error);
}

async function success(
  { prompt, size, output_format: format }: Order,
  flavour: Flavour,
  fault: Fault | null,
): Promise<Reply> {
  if (prompt.includes("<sd_cpp_extra_args>")) throw new Error("the prompt changed the settings");
  const [width = 512, height = 512] = /^(\d+)x(\d+)$/.exec(size)?.slice(1).map(Number) ?? [];
  const image = await makeImage(
    { width, height },
    format ?? (flavour === "sglang" ? "jpeg" : "png"),
    fault,
  );
  return {
    status: 200,
    json: { created: 1_790_000_000, data: [{ b64_json: image.toString("base64") }] },
  };
}

function failureOf(fault: Fault, flavour: Flavour, apiKey: string | null): Reply | null {
  if (fault.kind === "invalid-request") {
    return failure(flavour, 400, `invalid params (key ${apiKey ?? "none"})`);
  }
  if (fault.kind === "server-error") {
    return failure(flavour, fault.status, `no results (key ${apiKey ?? "none"})`);
  }
  return null;
}

function failure(flavour: Flavour, status: number, message: string): Reply {
  switch (flavour) {
    case "stable-diffusion.cpp":
      return { status, json: { error: message } };
    case "vllm-omni":
      return { status, json: { detail: message } };
    case "sglang":
      return { status, json: { detail: [{ loc: ["body"], msg: message, type: "value_error" }] } };
    case "localai":
      return { status, json: { error: { code: status, message, type: "" } } };
  }
}
