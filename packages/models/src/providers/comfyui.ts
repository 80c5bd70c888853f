import { createHash, randomUUID } from "node:crypto";
import * as z from "zod";
import type { Provider, ProviderReference, ProviderRequest } from "../provider.ts";
import type { ComfyUiWorkflow } from "./comfyui-workflow.ts";
import { describeReferences } from "./describe-references.ts";
import { pixelsOf, type PixelArea } from "./fit-pixels.ts";
import { createAdapter } from "./http/adapter.ts";
import { CallEnded, invalidRequest, unavailable } from "./http/call-ended.ts";
import { explainPollStatus, explainStatus } from "./http/explain-status.ts";
import { encodeForm } from "./http/multipart.ts";
import { readImage } from "./http/read-image.ts";
import { findJson, readJson } from "./http/read-json.ts";
import { createSend, type CallLimits, type HttpAnswer } from "./http/send.ts";
import { poll } from "./poll.ts";

export interface ComfyUiOptions extends CallLimits {
  /** Where ComfyUI is, for example `http://127.0.0.1:8188`. */
  readonly baseUrl: string;
  /** What is run; `readComfyUiWorkflow` reads it from the operator's file. */
  readonly workflow: ComfyUiWorkflow;
  /** For a proxy before ComfyUI that asks for a bearer token; ComfyUI itself has no keys. */
  readonly apiKey?: string | undefined;
  /** Between two questions about a job, in milliseconds. Default 500. */
  readonly pollIntervalMs?: number | undefined;
}

/** Pixels by image size; in steps of 64 every model does. */
const areas: Readonly<Record<string, PixelArea>> = {
  "0.5K": { pixels: 512 ** 2, maxEdge: 4096, step: 64 },
  "1K": { pixels: 1024 ** 2, maxEdge: 4096, step: 64 },
  "2K": { pixels: 2048 ** 2, maxEdge: 4096, step: 64 },
};

const fileSchema = z.object({ filename: z.string(), subfolder: z.string(), type: z.string() });
const uploadedSchema = z.object({ name: z.string(), subfolder: z.string() });
const historySchema = z.record(
  z.string(),
  z.object({
    outputs: z.record(z.string(), z.looseObject({ images: z.array(fileSchema).optional() })),
    status: z.object({
      status_str: z.string(),
      messages: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])),
    }),
  }),
);
/** Of an entry only the second item is used: the id of its prompt. */
const entriesSchema = z.array(z.tuple([z.unknown(), z.string()], z.unknown()));
const queueSchema = z.object({ queue_running: entriesSchema, queue_pending: entriesSchema });
const problemSchema = z.object({
  error: z.object({ message: z.string(), details: z.string().optional() }),
  node_errors: z
    .record(
      z.string(),
      z.looseObject({
        errors: z.array(z.looseObject({ message: z.string(), details: z.string() })),
      }),
    )
    .optional(),
});

type HistoryEntry = z.infer<typeof historySchema>[string];
type OutputFile = z.infer<typeof fileSchema>;
type Sighting = HistoryEntry | "under way" | "not known";

/**
 * ComfyUI on the operator's own network, with a workflow of the operator's (`ComfyUiWorkflow` says
 * how its slots are named). The request's model is for the catalogue alone.
 *
 * ComfyUI takes an id of our choosing for a job. It is told to the caller before the job is sent, so
 * that no lost answer loses a job; a call taken up again whose job ComfyUI does not know is ordered
 * anew under the same id. It is a new one for every call and not the call's key, which is the
 * same for all calls of a render: the history of a failed one would pass for that of the next. The
 * key goes along as `client_id`. Queue and history are lost with the process.
 *
 * References are uploaded under the hash of their bytes into the folder `atelier` of ComfyUI's input,
 * where an equal one overwrites it. There is no policy and no price.
 *
 * Sources: ComfyUI's own `server.py` (2026) and docs.comfy.org, "Server routes". ComfyUI before
 * 2025-09 does not look at the `prompt_id` of an interruption and would stop whatever runs; therefore
 * a job is only interrupted while the queue shows it running.
 */
export function createComfyUiProvider(options: ComfyUiOptions): Provider {
  const { apiKey, baseUrl, pollIntervalMs = 500, workflow } = options;
  const send = createSend({
    ...options,
    baseUrl,
    credentials: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
  });

  /** @returns what a LoadImage node calls the file. */
  async function upload(reference: ProviderReference, signal: AbortSignal): Promise<string> {
    const { bytes, mediaType } = reference;
    const hash = createHash("sha256").update(bytes).digest("hex");
    const { body, contentType } = encodeForm([
      ["image", { name: `${hash}.${mediaType.slice("image/".length)}`, bytes, mediaType }],
      ["type", "input"],
      ["subfolder", "atelier"],
      ["overwrite", "true"],
    ]);
    const answer = await send({
      method: "POST",
      url: "upload/image",
      headers: { "content-type": contentType },
      body,
      signal,
      asks: "to-make",
    });
    if (answer.status !== 200) throw explainStatus(answer, said(answer));
    const { name: file, subfolder } = readJson(answer, uploadedSchema);
    return subfolder === "" ? file : `${subfolder}/${file}`;
  }

  async function submit(id: string, graph: object, key: string, signal: AbortSignal) {
    const answer = await send({
      method: "POST",
      url: "prompt",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: graph, client_id: key, prompt_id: id }),
      signal,
      asks: "to-make",
    });
    if (answer.status !== 200) throw explainStatus(answer, said(answer));
    readJson(answer, z.object({ prompt_id: z.literal(id) }));
  }

  async function question(url: string, signal: AbortSignal): Promise<HttpAnswer> {
    const answer = await send({ method: "GET", url, signal, asks: "about-call" });
    if (answer.status !== 200) throw explainPollStatus(answer, said(answer));
    return answer;
  }

  async function findEnd(id: string, signal: AbortSignal): Promise<HistoryEntry | null> {
    return readJson(await question(`history/${id}`, signal), historySchema)[id] ?? null;
  }

  async function readQueue(signal: AbortSignal) {
    const queue = readJson(await question("queue", signal), queueSchema);
    const ids = (entries: z.infer<typeof entriesSchema>) => entries.map((entry) => entry[1]);
    return { running: ids(queue.queue_running), pending: ids(queue.queue_pending) };
  }

  async function look(id: string, signal: AbortSignal): Promise<Sighting> {
    const ended = await findEnd(id, signal);
    if (ended !== null) return ended;
    const { pending, running } = await readQueue(signal);
    if (pending.includes(id) || running.includes(id)) return "under way";
    // It may have ended between the two questions.
    return (await findEnd(id, signal)) ?? "not known";
  }

  async function ask(id: string, signal: AbortSignal): Promise<OutputFile | null> {
    const seen = await look(id, signal);
    if (seen === "under way") return null;
    if (seen === "not known") throw unavailable("the job is not known to ComfyUI any more");
    return readEnd(seen);
  }

  function readEnd({ outputs, status }: HistoryEntry): OutputFile {
    if (status.status_str !== "success") throw explainFailure(status.messages);
    const { outputNode } = workflow;
    const nodes = outputNode === null ? Object.values(outputs) : [outputs[outputNode]];
    const files = nodes.flatMap((node) => node?.images ?? []);
    // Previews are `temp`.
    const file = files.find(({ type }) => type === "output") ?? files[0];
    if (file === undefined) throw invalidRequest("the workflow ended without an image");
    return file;
  }

  async function cancel(id: string, signal: AbortSignal): Promise<void> {
    const tell = (url: string, body: object) =>
      send({
        method: "POST",
        url,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
        asks: "about-call",
      });
    await tell("queue", { delete: [id] });
    const { running } = await readQueue(signal);
    if (running.includes(id)) await tell("interrupt", { prompt_id: id });
  }

  async function order(request: ProviderRequest, id: string, key: string, signal: AbortSignal) {
    const { prompt, references, seed } = request;
    if (references.length > workflow.references) {
      throw invalidRequest(`the workflow takes ${workflow.references} references at most`);
    }
    const uploaded: string[] = [];
    for (const reference of references) uploaded.push(await upload(reference, signal));
    const graph = workflow.fillSlots({
      prompt: describeReferences(prompt, references),
      seed,
      ...pixelsOf(request, areas),
      references: uploaded,
    });
    await submit(id, graph, key, signal);
  }

  return createAdapter({
    name: "comfyui",
    lostCall: "resume-by-request-id",
    secrets: apiKey === undefined ? [] : [apiKey],
    limits: options,
    async makeImage(request, call) {
      const { key, resumeRequestId, signal } = call;
      const size = pixelsOf(request, areas);
      const id = resumeRequestId ?? randomUUID();
      if (resumeRequestId === null) {
        await call.onRequestId(id);
        await order(request, id, key, signal);
      } else if ((await look(id, signal)) === "not known") {
        // The id was told before the order was sent: it may never have arrived.
        await order(request, id, key, signal);
      }
      const { filename, subfolder, type } = await poll({
        ask: () => ask(id, signal),
        cancel: (anyway) => cancel(id, anyway),
        intervalMs: pollIntervalMs,
        signal,
      });
      const query = new URLSearchParams({ filename, subfolder, type });
      const answer = await question(`view?${query.toString()}`, signal);
      return { kind: "image", image: await readImage(answer.body, size), turn: null };
    },
  });
}

/** What came of a job that did not succeed: its messages are `[name, data]`. */
function explainFailure(messages: HistoryEntry["status"]["messages"]): CallEnded {
  const [, error] = messages.find(([name]) => name === "execution_error") ?? [];
  if (error === undefined) return unavailable("the job was interrupted");
  const { exception_message: message, node_type: node } = error;
  return unavailable(`the node ${String(node)} failed: ${String(message)}`);
}

function said(answer: HttpAnswer): string {
  const problem = findJson(answer, problemSchema);
  if (problem === null) return "";
  const { error, node_errors: nodes = {} } = problem;
  const details = Object.entries(nodes).flatMap(([node, { errors }]) =>
    errors.map(({ details: which, message }) => `node ${node}: ${message} (${which})`),
  );
  return [error.message, ...details].join("; ");
}
