import { createHash, randomUUID } from "node:crypto";
import { withoutEngineCommands } from "@atelier/schemas";
import * as z from "zod";
import type { ImageFile, Provider, ProviderRequest } from "../../provider.ts";
import type { ComfyUiWorkflow } from "./comfyui-workflow.ts";
import { promptWithReferences } from "../describe-references.ts";
import { pixelsOf, type PixelArea } from "../fit-pixels.ts";
import { everyModel } from "../kind.ts";
import { createAdapter, type AdapterCall } from "../http/adapter.ts";
import { CallEnded, invalidRequest, unavailable } from "../http/call-ended.ts";
import { createCheck } from "../http/check-server.ts";
import { explainPollStatus, explainStatus } from "../http/explain-status.ts";
import { encodeForm } from "../http/multipart.ts";
import { readImage } from "../http/read-image.ts";
import { findJson, readJson } from "../http/read-json.ts";
import { createSend, type CallLimits, type HttpResponse } from "../http/send.ts";
import { poll } from "../poll.ts";
import { watchProgress } from "./watch-progress.ts";

interface ComfyUiOptions extends CallLimits {
  /** URL of ComfyUI, for example `http://127.0.0.1:8188`. */
  readonly baseUrl: string;
  /** The workflow to run; `readComfyUiWorkflow` reads it from the operator's file. */
  readonly workflow: ComfyUiWorkflow;
  /** Bearer token for a proxy in front of ComfyUI; ComfyUI itself has no keys. */
  readonly apiKey?: string | undefined;
  /** Polling interval in milliseconds. Default 500. */
  readonly pollIntervalMs?: number | undefined;
}

/** Pixels by image size; every model supports multiples of 64. */
export const areas: Readonly<Record<string, PixelArea>> = {
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
/** Only the second item of an entry is used: its prompt id. */
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
 * ComfyUI on the operator's own network, with a workflow of the operator (see `ComfyUiWorkflow` for
 * its slots). The request's model is only used by the catalogue.
 *
 * ComfyUI accepts a job id that the client chooses. The adapter passes the id to the caller before
 * it submits the job, so a lost response does not lose the job. When a call is resumed and ComfyUI
 * does not know the job, the adapter submits it again with the same id. The id is new for every
 * call and not the call's key, which is the same for all calls of a render: the history of a failed
 * call would be taken for the result of the next one. The key is sent as `client_id`. Queue and
 * history are lost when ComfyUI exits.
 *
 * References are uploaded under the hash of their bytes into the folder `atelier` of ComfyUI's
 * input, where an identical upload overwrites the previous one. ComfyUI has no content policy and
 * no prices.
 *
 * Sources: ComfyUI's own `server.py` (2026) and docs.comfy.org, "Server routes". ComfyUI before
 * 2025-09 ignores the `prompt_id` of an interrupt request and would stop any running job, so a job
 * is interrupted only while the queue shows it as running.
 */
export function createComfyUiProvider(options: ComfyUiOptions): Provider {
  const { apiKey, baseUrl, pollIntervalMs = 500, workflow } = options;
  const credentials: Readonly<Record<string, string>> =
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const send = createSend({ ...options, baseUrl, credentials });

  /** @returns the file's name for a LoadImage node. */
  async function upload({ bytes, mediaType }: ImageFile, signal: AbortSignal): Promise<string> {
    const hash = createHash("sha256").update(bytes).digest("hex");
    const { body, contentType } = encodeForm([
      ["image", { name: `${hash}.${mediaType.slice("image/".length)}`, bytes, mediaType }],
      ["type", "input"],
      ["subfolder", "atelier"],
      ["overwrite", "true"],
    ]);
    const response = await send({
      method: "POST",
      url: "upload/image",
      headers: { "content-type": contentType },
      body,
      signal,
      purpose: "generate",
    });
    if (response.status !== 200) throw explainStatus(response, errorTextOf(response));
    const { name: file, subfolder } = readJson(response, uploadedSchema);
    return subfolder === "" ? file : `${subfolder}/${file}`;
  }

  async function submit(id: string, graph: object, key: string, signal: AbortSignal) {
    const response = await send({
      method: "POST",
      url: "prompt",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: graph, client_id: key, prompt_id: id }),
      signal,
      purpose: "generate",
    });
    if (response.status !== 200) throw explainStatus(response, errorTextOf(response));
    readJson(response, z.object({ prompt_id: z.literal(id) }));
  }

  async function sendPoll(url: string, signal: AbortSignal): Promise<HttpResponse> {
    const response = await send({ method: "GET", url, signal, purpose: "poll" });
    if (response.status !== 200) throw explainPollStatus(response, errorTextOf(response));
    return response;
  }

  async function findEnd(id: string, signal: AbortSignal): Promise<HistoryEntry | null> {
    return readJson(await sendPoll(`history/${id}`, signal), historySchema)[id] ?? null;
  }

  async function readQueue(signal: AbortSignal) {
    const queue = readJson(await sendPoll("queue", signal), queueSchema);
    const ids = (entries: z.infer<typeof entriesSchema>) => entries.map((entry) => entry[1]);
    return { running: ids(queue.queue_running), pending: ids(queue.queue_pending) };
  }

  async function look(id: string, signal: AbortSignal): Promise<Sighting> {
    const ended = await findEnd(id, signal);
    if (ended !== null) return ended;
    const { pending, running } = await readQueue(signal);
    if (pending.includes(id) || running.includes(id)) return "under way";
    // The job may have ended between the two polls.
    return (await findEnd(id, signal)) ?? "not known";
  }

  async function ask(id: string, signal: AbortSignal): Promise<OutputFile | null> {
    const seen = await look(id, signal);
    if (seen === "under way") return null;
    if (seen === "not known") throw unavailable("ComfyUI no longer knows the job");
    return readEnd(seen);
  }

  function readEnd({ outputs, status }: HistoryEntry): OutputFile {
    if (status.status_str !== "success") throw explainFailure(status.messages);
    const { outputNode } = workflow;
    const nodes = outputNode === null ? Object.values(outputs) : [outputs[outputNode]];
    const files = nodes.flatMap((node) => node?.images ?? []);
    // Preview images have the type `temp`.
    const file = files.find(({ type }) => type === "output") ?? files[0];
    if (file === undefined) throw invalidRequest("the workflow ended without an image");
    return file;
  }

  async function cancel(id: string, signal: AbortSignal): Promise<void> {
    const notify = (url: string, body: object) =>
      send({
        method: "POST",
        url,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
        purpose: "poll",
      });
    await notify("queue", { delete: [id] });
    const { running } = await readQueue(signal);
    if (running.includes(id)) await notify("interrupt", { prompt_id: id });
  }

  async function order(request: ProviderRequest, id: string, key: string, signal: AbortSignal) {
    const { negativePrompt, references, seed, task } = request;
    if (references.length > workflow.references) {
      throw invalidRequest(`the workflow takes ${workflow.references} references at most`);
    }
    const parameters = request.parameters ?? {};
    if ((parameters.loras ?? []).length > workflow.loras) {
      throw invalidRequest(`the workflow takes ${workflow.loras} LoRAs at most`);
    }
    const uploaded: string[] = [];
    for (const reference of references) uploaded.push(await upload(reference, signal));
    const edit = task?.kind === "edit" ? task : null;
    const mask = edit?.mask ?? null;
    const graph = workflow.fillSlots({
      // Nodes of extensions read `<lora:…>` from texts.
      prompt: withoutEngineCommands(promptWithReferences(request)),
      seed,
      ...pixelsOf(request, areas),
      references: uploaded,
      negative: withoutEngineCommands(negativePrompt ?? ""),
      source: edit === null ? null : await upload(edit.image, signal),
      mask: mask === null ? null : await upload({ bytes: mask, mediaType: "image/png" }, signal),
      strength: edit?.strength ?? null,
      parameters,
    });
    await submit(id, graph, key, signal);
  }

  async function run(id: string, request: ProviderRequest, call: AdapterCall) {
    const { key, resumeRequestId, signal } = call;
    const size = pixelsOf(request, areas);
    if (resumeRequestId === null) {
      await call.onRequestId(id);
      await order(request, id, key, signal);
    } else if ((await look(id, signal)) === "not known") {
      // The id was recorded before the job was submitted, so the job may never have arrived.
      await order(request, id, key, signal);
    }
    const { filename, subfolder, type } = await poll({
      ask: () => ask(id, signal),
      cancel: (anyway) => cancel(id, anyway),
      intervalMs: pollIntervalMs,
      signal,
    });
    const query = new URLSearchParams({ filename, subfolder, type });
    const response = await sendPoll(`view?${query.toString()}`, signal);
    return {
      kind: "image" as const,
      image: await readImage(response.body, size),
      turn: null,
      seed: request.seed,
    };
  }

  return createAdapter({
    name: "comfyui",
    lostCall: "resume-by-request-id",
    secrets: apiKey === undefined ? [] : [apiKey],
    limits: options,
    check: createCheck({
      send,
      url: "queue",
      countJobs(response) {
        const queue = findJson(response, queueSchema);
        return queue === null ? null : queue.queue_running.length + queue.queue_pending.length;
      },
    }),
    capabilities: [
      // Without a slot for a mask, the whole image is edited, and the adapter restores the rest.
      ...(workflow.hasSource ? (["edit", "mask"] as const) : []),
      ...(workflow.references > 1 ? (["combine"] as const) : []),
      ...(workflow.hasNegative ? (["negative_prompt"] as const) : []),
      ...workflow.parameters.map((name) => `parameters.${name}` as const),
    ],
    canSize: everyModel,
    editSize: (request) => pixelsOf(request, areas),
    async makeImage(request, call) {
      const { key, onProgress, resumeRequestId } = call;
      const id = resumeRequestId ?? randomUUID();
      const ended = new AbortController();
      if (onProgress !== undefined) {
        const signal = AbortSignal.any([call.signal, ended.signal]);
        const connection = { baseUrl, headers: credentials, signal, onProgress };
        void watchProgress({ id, clientId: key }, connection);
      }
      try {
        return await run(id, request, call);
      } finally {
        ended.abort();
      }
    },
  });
}

/** Explains the outcome of a failed job; its messages are `[name, data]`. */
function explainFailure(messages: HistoryEntry["status"]["messages"]): CallEnded {
  const [, error] = messages.find(([name]) => name === "execution_error") ?? [];
  if (error === undefined) return unavailable("the job was interrupted");
  const { exception_message: message, node_type: node } = error;
  return unavailable(`the node ${String(node)} failed: ${String(message)}`);
}

function errorTextOf(response: HttpResponse): string {
  const problem = findJson(response, problemSchema);
  if (problem === null) return "";
  const { error, node_errors: nodes = {} } = problem;
  const details = Object.entries(nodes).flatMap(([node, { errors }]) =>
    errors.map(({ details: which, message }) => `node ${node}: ${message} (${which})`),
  );
  return [error.message, ...details].join("; ");
}
