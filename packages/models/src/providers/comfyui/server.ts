import sharp from "sharp";
import * as z from "zod";
import type { Fault } from "../testing/faults.ts";
import { createJobs, type Job, type Jobs } from "../testing/jobs.ts";
import { makeImage, startProtocolServer } from "../testing/protocol-server.ts";
import type { ProtocolServer, Reply, Visit } from "../testing/protocol-server.ts";
import { acceptWebSocket } from "../testing/accept-web-socket.ts";
import { readForm } from "../testing/read-form.ts";

/**
 * ComfyUI's server on loopback, based on its `server.py`: upload, prompt, history, queue, interrupt
 * and view. Like ComfyUI, it validates a graph before it runs: every node has a class, every link
 * points to a node, there is an output node, and loaded files have been uploaded. Unlike ComfyUI,
 * it rejects unknown fields.
 */
export function startComfyUiServer(): Promise<ProtocolServer> {
  const state: State = {
    jobs: createJobs(),
    uploads: new Map([["example.png", Buffer.alloc(0)]]),
    pending: new Set(),
    sockets: new Map(),
  };
  return startProtocolServer(
    (visit) => respond(visit, state),
    ({ method, path }) => {
      if (method === "GET") return "poll";
      return path === "/prompt" ? "order" : null;
    },
    (request, socket) => {
      const { searchParams } = new URL(request.url ?? "", "http://localhost");
      state.sockets.set(searchParams.get("clientId") ?? "", acceptWebSocket(request, socket));
    },
  );
}

/**
 * The nodes of ComfyUI that the tests use, in the format of its `node_info`: choices are lists, or
 * `COMBO` with options in nodes of the newer schema.
 */
const objectInfo = {
  ...Object.fromEntries(
    [
      "CheckpointLoaderSimple",
      "EmptyLatentImage",
      "CLIPTextEncode",
      "VAEDecode",
      "SaveImage",
      "LoadImage",
      "LoadImageMask",
      "VAEEncodeForInpaint",
      "TextEncodeQwenImageEditPlus",
    ].map((type) => [type, { input: { required: {} }, name: type, output_node: false }]),
  ),
  KSampler: {
    input: {
      required: {
        model: ["MODEL", {}],
        seed: ["INT", { default: 0, min: 0, max: 0xff_ff_ff_ff }],
        steps: ["INT", { default: 20, min: 1, max: 10_000 }],
        cfg: ["FLOAT", { default: 8, min: 0, max: 100, step: 0.1 }],
        sampler_name: [["euler", "dpmpp_2m", "res_multistep"], { tooltip: "The algorithm." }],
        scheduler: ["COMBO", { options: ["simple", "normal", "karras"] }],
      },
    },
    name: "KSampler",
    output_node: false,
  },
  LoraLoader: {
    input: {
      required: {
        lora_name: [["detail.safetensors", "styles/ink.safetensors"]],
        strength_model: ["FLOAT", { default: 1, min: -100, max: 100, step: 0.01 }],
      },
    },
    name: "LoraLoader",
    output_node: false,
  },
};

interface State {
  readonly jobs: Jobs<Graph>;
  /** File names in the form that LoadImage accepts, with the bytes. */
  readonly uploads: Map<string, Buffer>;
  /** Ids of unfinished jobs. */
  readonly pending: Set<string>;
  /** Sends a message to the WebSocket of a client, by its id. */
  readonly sockets: Map<string, (text: string) => void>;
}

function respond(visit: Visit, state: State): Reply | Promise<Reply> {
  const { call, fault, url } = visit;
  const [, route = "", id = ""] = url.pathname.split("/");
  const endpoint = `${call.method} ${route}`;
  if (fault?.kind === "server-error" && fault.at === "poll" && call.method === "GET") {
    return internalError(fault.status);
  }
  if (endpoint === "POST upload") return upload(visit, state);
  if (endpoint === "POST prompt") return order(visit, state);
  if (endpoint === "GET history") return readHistory(visit, id, state);
  if (endpoint === "GET queue") return readQueue(visit, state);
  if (endpoint === "POST queue") return changeQueue(visit, state);
  if (endpoint === "POST interrupt") return interrupt(visit, state);
  if (endpoint === "GET view") return view(visit, state);
  if (endpoint === "GET object_info") return { status: 200, json: objectInfo };
  return { status: 404, bytes: Buffer.from("404: Not Found") };
}

async function upload({ call, url }: Visit, { uploads }: State): Promise<Reply> {
  const parts = url.pathname === "/upload/image" ? await readForm(call) : null;
  const file = parts?.find(({ fileName, name }) => name === "image" && fileName !== null);
  const field = (name: string): string =>
    parts?.find((part) => part.name === name)?.bytes.toString() ?? "";
  const known = ["image", "type", "subfolder", "overwrite"];
  if (!file?.fileName || parts?.some(({ name }) => !known.includes(name)) === true) {
    return { status: 400, bytes: Buffer.alloc(0) };
  }
  const subfolder = field("subfolder");
  const type = field("type") || "input";
  if (/[/\\]|\.\./.test(file.fileName + subfolder) || !["input", "temp", "output"].includes(type)) {
    return { status: 400, bytes: Buffer.alloc(0) };
  }
  uploads.set(subfolder === "" ? file.fileName : `${subfolder}/${file.fileName}`, file.bytes);
  return { status: 200, json: { name: file.fileName, subfolder, type } };
}

const graphSchema = z.record(
  z.string(),
  z.object({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) }),
);
const orderSchema = z.strictObject({
  prompt: graphSchema,
  client_id: z.string().optional(),
  prompt_id: z.string().optional(),
  extra_data: z.looseObject({}).optional(),
  number: z.number().optional(),
  front: z.boolean().optional(),
});

type Graph = z.output<typeof graphSchema>;

/** A UUID in canonical lower-case form; ComfyUI accepts no other form. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function order(visit: Visit, { jobs, pending, uploads }: State): Reply {
  const { call, fault } = visit;
  const parsed = orderSchema.safeParse(parseJson(call.body));
  if (!parsed.success) return problem("no_prompt", "No prompt provided", "No prompt provided");
  const { prompt: graph, prompt_id: id = crypto.randomUUID() } = parsed.data;
  if (!uuid.test(id)) {
    return problem("invalid_prompt_id", "prompt_id must be a valid UUID", "canonical, lower case");
  }
  const nodeErrors = check(graph, uploads);
  if (!Object.values(graph).some(({ class_type: type }) => type === "SaveImage")) {
    return problem("prompt_no_outputs", "Prompt has no outputs", "");
  }
  if (fault?.kind === "invalid-request") {
    nodeErrors["4"] = describe(
      "value_not_in_list",
      "Value not in list",
      "ckpt_name: 'x' not in []",
    );
  }
  if (Object.keys(nodeErrors).length > 0) {
    const type = "prompt_outputs_failed_validation";
    return problem(type, "Prompt outputs failed validation", "", nodeErrors);
  }
  if (fault?.kind === "server-error" && fault.at === "order") return internalError(fault.status);
  visit.pay();
  jobs.take(id, graph);
  pending.add(id);
  return { status: 200, json: { prompt_id: id, number: 0, node_errors: {} } };
}

function check(graph: Graph, uploads: ReadonlyMap<string, Buffer>): Record<string, object> {
  const found: Record<string, object> = {};
  for (const [id, { class_type: type, inputs }] of Object.entries(graph)) {
    for (const [name, value] of Object.entries(inputs)) {
      if (Array.isArray(value) && !(String(value[0]) in graph)) {
        found[id] = describe(
          "bad_linked_input",
          "Bad linked input",
          `${name}, ${String(value[0])}`,
        );
      }
    }
    const { height, image, seed, text, width } = inputs;
    if (type.startsWith("LoadImage") && !uploads.has(String(image))) {
      found[id] = describe("custom_validation_failed", "Invalid image file", String(image));
    }
    if (type === "KSampler" && !Number.isInteger(seed)) {
      found[id] = describe("invalid_input_type", "Failed to convert an input value", "seed");
    }
    if (type === "CLIPTextEncode" && typeof text !== "string") {
      found[id] = describe("required_input_missing", "Required input is missing", "text");
    }
    const edges = [width, height].filter((edge) => edge !== undefined);
    if (edges.some((edge) => !Number.isInteger(edge) || Number(edge) % 8 !== 0)) {
      found[id] = describe("invalid_input_type", "Failed to convert an input value", "width");
    }
  }
  return found;
}

function describe(type: string, message: string, details: string): object {
  return {
    errors: [{ type, message, details, extra_info: {} }],
    dependent_outputs: ["9"],
    class_type: "",
  };
}

function readHistory({ fault }: Visit, id: string, { jobs, pending, sockets }: State): Reply {
  const job = jobs.find(id, fault);
  for (const send of sockets.values()) {
    send(
      JSON.stringify({ type: "status", data: { status: { exec_info: { queue_remaining: 1 } } } }),
    );
    send(
      JSON.stringify({ type: "progress", data: { value: 7, max: 20, prompt_id: id, node: "3" } }),
    );
  }
  if (job === null || jobs.poll(job, fault) !== "ended") return { status: 200, json: {} };
  pending.delete(id);
  return { status: 200, json: { [id]: entryOf(job, fault) } };
}

function entryOf({ cancelled, id, order: graph }: Job<Graph>, fault: Fault | null): object {
  const about = { prompt_id: id, timestamp: 1_790_000_000_000 };
  const prompt = [0, id, graph, { client_id: "" }, ["9"]];
  if (cancelled || fault?.kind === "failed-job") {
    const message = cancelled
      ? ["execution_interrupted", { ...about, node_id: "3", node_type: "KSampler", executed: [] }]
      : [
          "execution_error",
          {
            ...about,
            node_id: "3",
            node_type: "KSampler",
            exception_type: "torch.OutOfMemoryError",
            exception_message: "Allocation on device",
            traceback: [],
          },
        ];
    const messages = [["execution_start", about], message];
    return { prompt, outputs: {}, status: { status_str: "error", completed: false, messages } };
  }
  return {
    prompt,
    outputs: {
      "9": { images: [{ filename: `${id}_00001_.png`, subfolder: "", type: "output" }] },
    },
    status: {
      status_str: "success",
      completed: true,
      messages: [
        ["execution_start", about],
        ["execution_success", about],
      ],
    },
    meta: {},
  };
}

function readQueue({ fault }: Visit, { jobs, pending }: State): Reply {
  const entries = [...pending].flatMap((id) => {
    const job = jobs.find(id, fault);
    return job === null ? [] : [[0, id, job.order, {}, ["9"]] as const];
  });
  const isRunning = (id: string): boolean => (jobs.find(id, fault)?.polls ?? 0) > 1;
  return {
    status: 200,
    json: {
      queue_running: entries.filter(([, id]) => isRunning(id)),
      queue_pending: entries.filter(([, id]) => !isRunning(id)),
    },
  };
}

const deleteSchema = z.strictObject({ delete: z.array(z.string()) });

function changeQueue({ call }: Visit, { jobs, pending }: State): Reply {
  const parsed = deleteSchema.safeParse(parseJson(call.body));
  if (!parsed.success) return internalError(500);
  for (const id of parsed.data.delete) {
    const job = jobs.find(id, null);
    // A running job is no longer in the queue.
    if (job === null || job.polls > 1) continue;
    job.cancelled = true;
    pending.delete(id);
  }
  return { status: 200, bytes: Buffer.alloc(0) };
}

const interruptSchema = z.strictObject({ prompt_id: z.string() });

function interrupt({ call }: Visit, { jobs }: State): Reply {
  const parsed = interruptSchema.safeParse(parseJson(call.body));
  // Without an id, any running job would be stopped.
  if (!parsed.success) return internalError(500);
  const job = jobs.find(parsed.data.prompt_id, null);
  if (job !== null && job.polls > 1) job.cancelled = true;
  return { status: 200, bytes: Buffer.alloc(0) };
}

async function view({ fault, url }: Visit, { jobs, uploads }: State): Promise<Reply> {
  const [, id] = /^([0-9a-f-]{36})_00001_\.png$/.exec(url.searchParams.get("filename") ?? "") ?? [];
  const job = id === undefined ? null : jobs.find(id, fault);
  if (job === null || url.searchParams.get("type") !== "output") {
    return { status: 404, bytes: Buffer.alloc(0) };
  }
  const sized = Object.values(job.order).find(({ inputs }) => "width" in inputs)?.inputs;
  const size =
    sized === undefined
      ? await sizeOfSource(job.order, uploads)
      : { width: Number(sized["width"]), height: Number(sized["height"]) };
  return {
    status: 200,
    headers: { "content-type": "image/png" },
    bytes: await makeImage(size, "png", fault),
  };
}

/** The size of the image that a workflow for edits loads. */
async function sizeOfSource(
  graph: Graph,
  uploads: ReadonlyMap<string, Buffer>,
): Promise<{ width: number; height: number }> {
  const loader = Object.values(graph).find(({ class_type: type }) => type === "LoadImage");
  return sharp(uploads.get(String(loader?.inputs["image"]))).metadata();
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function problem(type: string, message: string, details: string, nodeErrors: object = {}): Reply {
  const error = { type, message, details, extra_info: {} };
  return { status: 400, json: { error, node_errors: nodeErrors } };
}

/** aiohttp's error page. */
function internalError(status: number): Reply {
  const text = `${status} Internal Server Error\n\nServer got itself in trouble`;
  return { status, headers: { "content-type": "text/plain" }, bytes: Buffer.from(text) };
}
