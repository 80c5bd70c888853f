import * as z from "zod";
import type { Fault } from "../faults.ts";
import {
  makeImage,
  startProtocolServer,
  type ProtocolCall,
  type ProtocolServer,
  type Reply,
  type Visit,
} from "../protocol-server.ts";
import { readForm } from "../read-form.ts";
import { isImageInBase64, readJsonBody } from "../read-json-body.ts";

/** Whose server it is: they differ in what they take and in how they say no. */
export type Flavour = "stable-diffusion.cpp" | "vllm-omni" | "sglang" | "localai";

interface Order {
  readonly prompt: string;
  readonly size: string;
}

const commonSchema = z.strictObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  n: z.literal(1),
  size: z.string(),
  seed: z.int().min(0),
  response_format: z.literal("b64_json"),
});
/** In the form of an edit everything is text. */
const editSchema = z.strictObject({
  ...commonSchema.shape,
  n: z.literal("1"),
  seed: z.string().regex(/^\d+$/),
});
const localAiSchema = commonSchema.extend({
  ref_images: z.array(z.string().refine(isImageInBase64)).min(1).optional(),
});

/**
 * A server with OpenAI's image API on loopback, as one of four: paths and fields as their sources have
 * them. They ignore what they do not know; here it is refused, so that nothing is sent in vain.
 */
export function startOpenAiCompatibleServer(options: {
  readonly flavour: Flavour;
  /** Null for a server without keys. */
  readonly apiKey: string | null;
}): Promise<ProtocolServer> {
  const { apiKey, flavour } = options;
  return startProtocolServer((visit) => answer(visit, flavour, apiKey));
}

async function answer(visit: Visit, flavour: Flavour, apiKey: string | null): Promise<Reply> {
  const { call, fault, url } = visit;
  const given = call.headers.authorization;
  if (given !== (apiKey === null ? undefined : `Bearer ${apiKey}`)) {
    return failure(flavour, 401, "Unauthorized");
  }
  const order =
    call.method === "POST" && url.pathname === "/v1/images/generations"
      ? readGeneration(call, flavour)
      : call.method === "POST" && url.pathname === "/v1/images/edits" && flavour !== "localai"
        ? await readEdit(call)
        : null;
  if (order === null) return failure(flavour, 404, "Not Found");
  if (typeof order === "string") return failure(flavour, 400, order);
  const problem = fault === null ? null : failureOf(fault, flavour, apiKey);
  if (problem !== null) return problem;
  visit.pay();
  return success(order, fault);
}

/** The order, or what is wrong with it. */
function readGeneration(call: ProtocolCall, flavour: Flavour): Order | string {
  const schema = flavour === "localai" ? localAiSchema : commonSchema;
  const parsed = schema.safeParse(readJsonBody(call));
  return parsed.success ? parsed.data : z.prettifyError(parsed.error);
}

async function readEdit(call: ProtocolCall): Promise<Order | string> {
  const parts = await readForm(call);
  if (parts === null) return "Content-Type must be multipart/form-data";
  const files = parts.filter(({ fileName }) => fileName !== null);
  if (files.length === 0 || files.some(({ name }) => name !== "image[]")) {
    return "at least one image[] required";
  }
  if (files.some(({ bytes }) => !isImageInBase64(bytes.toString("base64")))) {
    return "an image[] that is no image";
  }
  const fields = parts.filter(({ fileName }) => fileName === null);
  const parsed = editSchema.safeParse(
    Object.fromEntries(fields.map(({ bytes, name }) => [name, bytes.toString()])),
  );
  return parsed.success ? parsed.data : z.prettifyError(parsed.error);
}

async function success({ prompt, size }: Order, fault: Fault | null): Promise<Reply> {
  if (prompt.includes("<sd_cpp_extra_args>")) throw new Error("the prompt changed the settings");
  const [width = 512, height = 512] = /^(\d+)x(\d+)$/.exec(size)?.slice(1).map(Number) ?? [];
  const image = await makeImage({ width, height }, "png", fault);
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
