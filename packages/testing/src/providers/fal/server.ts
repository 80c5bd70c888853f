import * as z from "zod";
import type { Fault } from "../faults.ts";
import { createJobs, type Job, type Jobs } from "../jobs.ts";
import { makeImage, startProtocolServer } from "../protocol-server.ts";
import type { ProtocolServer, Reply, Visit } from "../protocol-server.ts";
import { isImageInBase64, readJsonBody } from "../read-json-body.ts";

/**
 * fal's queue on loopback, by its documentation and its client: orders at `POST /{model}`, status,
 * result and cancel at the URLs that an order was given. The queue takes any JSON; a model that cannot
 * do with it fails when it runs, so that its 422 comes with the result.
 *
 * Shapes of refusal: `prompt` and `body` (422 with that `loc`), `nsfw` (a blackened image).
 */
export function startFalServer({ apiKey }: { readonly apiKey: string }): Promise<ProtocolServer> {
  const jobs = createJobs<Order>();
  return startProtocolServer(
    (visit) => answer(visit, apiKey, jobs),
    ({ method, path }) => {
      if (method === "POST") return "order";
      return method === "GET" && !path.startsWith("/files/") ? "question" : null;
    },
  );
}

async function answer(visit: Visit, apiKey: string, jobs: Jobs<Order>): Promise<Reply> {
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

const models: Readonly<Record<string, z.ZodType<Input>>> = {
  "fal-ai/flux-2-pro": textSchema,
  "fal-ai/flux-2-pro/edit": editSchema,
};

type Input = z.output<typeof textSchema>;
type Order = z.ZodSafeParseResult<Input>;

function order(visit: Visit, jobs: Jobs<Order>): Reply {
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
  jobs.take(id, schema.safeParse(body));
  return { status: 200, json: { ...describe(call.headers.host, id), ...waiting } };
}

const waiting = { status: "IN_QUEUE", queue_position: 0 };

/** The URLs name the owner and the app, without the path of the model. */
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
  if (fault?.kind === "server-error" && fault.at === "question") {
    return { status: fault.status, json: { detail: "Internal Server Error" } };
  }
  const job = jobs.find(id, fault);
  if (job === null) return notFound;
  const about = describe(call.headers.host, id);
  switch (jobs.ask(job, fault)) {
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
  if (job.questions < 2) return { status: 400, json: { detail: "Request is still in progress" } };
  const problem = resultFailure(job, fault);
  if (problem !== null) return { ...problem, headers: { ...headers, ...problem.headers } };
  const { image_size: size, output_format: format } = job.order.data ?? textSchema.parse({});
  return {
    status: 200,
    headers,
    json: {
      images: [
        {
          url: `http://${call.headers.host}/files/${id}.${format}`,
          content_type: `image/${format}`,
          file_name: `${id}.${format}`,
          file_size: null,
          ...size,
        },
      ],
      seed: 7,
      // Models with a checker of their own say what it found.
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

/** Files are public; a key in a request for one is a key given to somebody else's host. */
async function deliver({ call, fault, url }: Visit, jobs: Jobs<Order>): Promise<Reply> {
  const [, id = "", format] = /^\/files\/([\w-]+)\.(\w+)$/.exec(url.pathname) ?? [];
  const input = jobs.find(id, fault)?.order.data;
  if (input?.output_format !== format || input === undefined) return notFound;
  if (call.headers.authorization !== undefined) {
    return { status: 400, json: { detail: "No key is wanted here" } };
  }
  return { status: 200, bytes: await makeImage(input.image_size, input.output_format, fault) };
}
